#include "sim/cli/app.hpp"

int main(int argc, char** argv) { return gridlock::cli::run_app(argc, argv); }
