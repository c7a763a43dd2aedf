#!/bin/sh
# Kills processes that record a walk, and checks that the walk has every fix that they said was accepted,
# at most one more, with the figures of an undisturbed one.
#
#   Scripts/Checks/kill-recorder.sh [rounds] [seed]     200 rounds and a random seed unless told otherwise
#   Scripts/Checks/kill-recorder.sh time                what recording a fix costs
set -eu
exec "$(dirname "$0")/run-tool.sh" KillRecorder "${1:-200}" ${2:+"$2"}
