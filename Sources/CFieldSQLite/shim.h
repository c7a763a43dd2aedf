// The system's SQLite, for the package trait "SQLite". The module has a name of its own, since other
// packages that an app may use have one called CSQLite.
#include <sqlite3.h>
