#!/bin/sh
# Kills processes that write to a file store, and checks that the store has every batch that they said
# was committed, at most one more, and none by half.
#
#   Scripts/Checks/kill-writer.sh [rounds] [seed]     200 rounds and a random seed unless told otherwise
set -eu
exec "$(dirname "$0")/run-tool.sh" KillWriter "${1:-200}" ${2:+"$2"}
