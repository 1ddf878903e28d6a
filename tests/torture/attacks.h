// The ways in which work is disturbed. Each attack is one round: it draws what it does, does it,
// and tells the ledger what it did and what it found.
#pragma once

#include "tests/torture/chance.h"
#include "tests/torture/ledger.h"
#include "tests/torture/work.h"

namespace pulsecast::torture {

// Exit codes as the README has them.
enum ExitCode { kData = 3, kModelFile = 4, kInputOutput = 5, kInterrupted = 130 };

// Killed, or asked to stop, at any time and several times over, then left alone: the result is that
// of undisturbed work to the byte, nothing that was there is lost, nothing lies about.
void attack_with_kills(Work& work, Chance& chance, Ledger& ledger);

// One call of the operating system fails, or all from one on: what was there is whole, the exit
// code is that of input and output or the result is right, and the next run mends everything.
void attack_with_faults(Work& work, Chance& chance, Ledger& ledger);

// Limits on memory, threads, descriptors and file size: the result, or an error and nothing hurt.
void attack_with_limits(Work& work, Chance& chance, Ledger& ledger);

// A single bit of a file that the work left or goes on from is flipped: the program that reads it
// refuses it by the name of the file and of the damaged part.
void attack_with_flips(Work& work, Chance& chance, Ledger& ledger);

// The work left alone from where it stands: it must come to the right end and leave nothing about.
// `after` says what was done to it before.
void finish(Work& work, const std::string& after, Ledger& ledger);

}  // namespace pulsecast::torture
