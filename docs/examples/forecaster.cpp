// Learns from a file of timestamped rows, keeps the model, and forecasts the next 48 hours.
#include <cstdio>

#include "pulsecast/forecaster.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: forecaster ROWS.csv MODEL\n", stderr);
    return 2;
  }
  try {
    pulsecast::Settings settings;  // what it leaves open is chosen from the rows
    settings.data.horizon = "48h";
    settings.training.epochs = 5;
    pulsecast::fit(argv[1], settings)->save(argv[2]);

    const std::shared_ptr<const pulsecast::Model> model = pulsecast::Model::load(argv[2]);
    const pulsecast::SeriesForecast next = model->forecast(argv[1]);
    for (const pulsecast::ChannelForecast& channel : next.channels) {
      std::printf("%s: %g in the next step, %g at the end\n", channel.channel.c_str(),
                  channel.values.front(), channel.values.back());
    }
    std::fputs(pulsecast::to_long_csv(next, false).c_str(), stdout);
  } catch (const pulsecast::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return pulsecast::exit_code(error.kind());
  }
}
