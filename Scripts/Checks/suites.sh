#!/bin/sh
# Runs the public test suites of JSON, CSV, XML, feeds, GPX and dates through the public readers.
# The suites are not part of this repository; clone the ones you want into one directory:
#
#   JSONTestSuite   https://github.com/nst/JSONTestSuite
#   csv-spectrum    https://github.com/max-mapper/csv-spectrum
#   xmlts           the W3C's xmlts20130923.zip, unpacked (it contains `xmlconf`)
#   feedparser      https://github.com/kurtmckee/feedparser
#   gpxpy           https://github.com/tkrajina/gpxpy
#
#   Scripts/Checks/suites.sh DIRECTORY
set -eu
directory=$(cd "${1:?usage: Scripts/Checks/suites.sh DIRECTORY}" && pwd)
exec "$(dirname "$0")/run-tool.sh" Suites "$directory"
