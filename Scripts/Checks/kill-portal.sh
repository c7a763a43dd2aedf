#!/bin/sh
# Kills syncs with a portal over HTTP, continues them, and checks that the store equals the portal, for ArcGIS, CKAN with offsets and
# with ranges, OpenDataSoft, Socrata, and data.taipei. Prints the largest memory.
#
#   Scripts/Checks/kill-portal.sh [kills] [seed] [rows] [family]     3 kills and 20,000 rows for each family by default
#
# The long form is `Scripts/Checks/kill-portal.sh 20 1 1000000`.
set -eu
exec "$(dirname "$0")/run-tool.sh" KillPortal "${1:-3}" ${2:+"$2"} ${3:+"$3"} ${4:+"$4"}
