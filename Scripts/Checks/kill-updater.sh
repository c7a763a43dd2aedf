#!/bin/sh
# Kills processes that update a timetable, and checks that the old one or the new one is there, complete.
#
#   Scripts/Checks/kill-updater.sh [rounds] [seed]     50 rounds and a random seed unless told otherwise
set -eu
exec "$(dirname "$0")/run-tool.sh" KillUpdater "${1:-50}" ${2:+"$2"}
