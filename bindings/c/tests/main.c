/* The C interface as a program in C uses it.
 *
 *   c_test PROGRAM FOLDER     PROGRAM is pulsecast, FOLDER is there for files of the test's own
 */
#include "requires.h"

const char* program = NULL;
const char* folder = NULL;

int main(int argc, char** argv) {
  if (argc != 3) {
    fputs("usage: c_test PROGRAM FOLDER\n", stderr);
    return 2;
  }
  program = argv[1];
  folder = argv[2];
  test_calls();
  test_arrow_in();
  test_hostile_arrow();
  test_trip();
  test_panel();
  return 0;
}
