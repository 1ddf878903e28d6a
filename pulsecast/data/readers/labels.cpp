#include "pulsecast/data/readers/labels.h"

namespace pulsecast {

std::uint32_t Labels::code_of(std::string_view text) {
  if (!names_.empty() && names_[last_] == text) return last_;
  const auto found = index_.find(text);
  if (found != index_.end()) {
    last_ = found->second;
    return last_;
  }
  last_ = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(text);
  index_.emplace(names_.back(), last_);
  return last_;
}

void Labels::append(const Labels& more) {
  std::vector<std::uint32_t> own;
  own.reserve(more.names_.size());
  for (const std::string& name : more.names_) own.push_back(code_of(name));
  for (const std::uint32_t code : more.codes_) codes_.push_back(own[code]);
}

void Labels::clear() {
  names_.clear();
  codes_.clear();
  index_.clear();
  last_ = 0;
}

Labels joined_labels(const std::vector<const Labels*>& parts) {
  Labels all = *parts.front();
  for (std::size_t p = 1; p < parts.size(); ++p) {
    const Labels& next = *parts[p];
    Labels both;
    std::unordered_map<std::uint64_t, std::uint32_t> seen;  // a pair of codes to the code of both
    for (std::size_t row = 0; row < all.codes().size(); ++row) {
      const std::uint64_t pair =
          static_cast<std::uint64_t>(all.codes()[row]) << 32 | next.codes()[row];
      auto found = seen.find(pair);
      if (found == seen.end()) {
        const std::uint32_t code =
            both.code_of(all.names()[all.codes()[row]] + "/" + next.names()[next.codes()[row]]);
        found = seen.emplace(pair, code).first;
      }
      both.add(found->second);
    }
    all = std::move(both);
  }
  return all;
}

}  // namespace pulsecast
