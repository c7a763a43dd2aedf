/* The protocol of processes that share a store file, for the model checker Spin.
 *
 * Two writers and a reader, which are separate processes, open, read, commit, compact, and close one
 * store. Processes are killed, syncs fail, dropped pages are read again, and the power fails, each at
 * any step. check-protocol.sh runs Spin on this file; Docs/reliability.md reports its results.
 *
 * What is modeled (the Swift code in Sources/FieldCore/Stores/Files is named in parentheses):
 * - the lock and the mark in the lock file (FileLock; `mark`, `settle`, `takeOverDoubts`)
 * - a commit: catching up, cutting off a torn end, rewriting doubtful content, syncing the directory,
 *   writing, syncing, and taking back what failed (`prepare`, `append`, `takeBack`)
 * - deferred commits, a commit that changes nothing, which does what `durableSnapshot` does, and closing
 *   (`makeDurable`, `makeDurableAtEnd`)
 * - compaction: a new file, its sync, the rename, the sync of the directory (`writeAnew`, `replaceFile`)
 * - opening, and reading without the lock (`load`, `catchUp`)
 *
 * A file consists of slots, one for each revision. Each slot holds nothing, the frame of a commit, or
 * torn bytes; all frames are equally long, which is the hardest case for a reader. `cache` is what
 * processes read, `may` the set of what a power failure may leave, and `dirty` what the next sync
 * writes. A failed sync leaves the cache as it is and clears `dirty`, so a later sync succeeds
 * without writing. A base has one slot for each of its commits.
 *
 * What is asserted, at every step:
 * - A power failure leaves every commit that was acknowledged as durable, and those before it.
 * - A process that holds the lock, and a reader that looks, see every commit acknowledged before.
 * - What anybody sees is a chain: each commit follows the one on which it was made.
 * - A commit that failed and was taken back is never seen again.
 * - After a failed sync that left doubt, no commit is acknowledged as durable before a rewrite.
 * - There is no deadlock: every process can always finish (Spin's check of invalid end states).
 *
 * What isn't modeled: the creation of the first file, salvaging, the copy of a torn end, failures of
 * other calls than writes, cuts, and syncs, a mark that can't be written, stores that are opened for reading
 * because the device is full or locked, files that are gone, the reasons for a compaction, time stamps, the inside of a
 * single read, and everything that isn't the protocol (checksums, records).
 *
 * With one of these macros, the protocol has a fault that Spin must find:
 * NO_MARK, NO_REWRITE, NO_DIRECTORY_SYNC, NO_SYNC_BEFORE_RENAME, ACK_BEFORE_SYNC, NO_CATCH_UP, NO_LOCK,
 * NO_TAKE_BACK, NO_STATUS, OLD_DEFERRED, OLD_CLOSE.
 *
 * The last two are weaknesses that the protocol once had. They appear with stricter assertions:
 * - STRICT_DEFERRED: after a power failure, deferred commits also are a chain. With OLD_DEFERRED, a deferred
 *   commit doesn't rewrite content that is in doubt. If the removal of a commit before it wasn't synced, the
 *   removed frame may be on the device in its place, before the second deferred one, if both are equally long.
 * - STRICT_CLOSE: a deferred commit is durable if closing succeeds. With OLD_CLOSE, closing doesn't catch up.
 *   The commit isn't durable then if another process's sync failed, that process compacted the file, and
 *   the sync of the directory failed.
 */

/* The bounds: commits that are tried, calls that fail, processes that are killed, power failures,
 * dropped pages that are read again, compactions (besides rewrites that doubt requires), and commits that
 * change nothing or closings. */
#ifndef COMMITS
#define COMMITS 3
#endif
#ifndef FAILURES
#define FAILURES 2
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef POWER_CUTS
#define POWER_CUTS 1
#endif
#ifndef EVICTIONS
#define EVICTIONS 1
#endif
#ifndef COMPACTIONS
#define COMPACTIONS 1
#endif
#ifndef OTHERS
#define OTHERS 1
#endif
#define FILES 4      /* files at one time; without a free one, nothing is rewritten */
#define PROCESSES 3  /* writers 0 and 1, reader 2 */

#define NONE 0            /* nothing in a slot; commits are 1 to COMMITS */
#define TORN (COMMITS + 1)
#define FREE 7
#define BIT(x) (1 << (x))
#define HAS(set, x) (((set) >> (x)) & 1)
#define WITHIN(set, other) (((set) & ~(other)) == 0)
#define IS_FRAME(x) ((x) != NONE && (x) != TORN)

/* The machine. */
typedef File { byte cache[COMMITS]; byte may[COMMITS]; byte dirty; }
File file[FILES];
byte name = 0;       /* the file that has the store's name */
byte nameMay = 1;    /* the files that may have it after a power failure */
byte making = FREE;  /* the file with the name NAME.new */
byte lock = FREE;    /* the process that holds the lock */
bool mark;           /* the first byte of the lock file */

/* What a process knows: StoreDisk and FileStoreCore.State. */
typedef Process {
  bool isOpen; byte fd; byte end; byte last;
  bool isSynced; bool isNameSynced; bool isDoubtful; bool isRefused;
  byte mine;  /* the commits that it made since it opened the file (only for assertions) */
}
Process process[PROCESSES];
#define my process[me]

/* What is left of the bounds. */
byte next = 1;
byte failures = FAILURES, kills = KILLS, cuts = POWER_CUTS, evictions = EVICTIONS,
  compactions = COMPACTIONS, others = OTHERS;
byte dying;          /* the processes that were ended and haven't noticed yet */

/* What only the assertions know. */
byte past[COMMITS + 2];  /* each commit, and those on which it was made */
byte durable;            /* acknowledged as durable */
byte committed;          /* acknowledged */
byte rejected;           /* failed, and taken back */
bool isOwed;             /* a rewrite is owed */
bool isEvicted;          /* dropped pages were read again, so that deferred commits may be lost */

/* ---- The file system --------------------------------------------------------------------------- */

inline sizeOf(n, size) {
  size = COMMITS;
  do :: size > 0 && file[n].cache[size - 1] == NONE -> size-- :: else -> break od
}

inline put(n, slot, frame) {
  file[n].cache[slot] = frame;
  file[n].may[slot] = file[n].may[slot] | BIT(frame) | BIT(TORN);
  file[n].dirty = file[n].dirty | BIT(slot)
}

inline truncate(n, size) {
  for (i : size .. COMMITS - 1) {
    if
    :: file[n].may[i] != BIT(NONE) ->
      file[n].cache[i] = NONE;
      file[n].may[i] = file[n].may[i] | BIT(NONE);
      file[n].dirty = file[n].dirty | BIT(i)
    :: else
    fi
  }
  i = 0
}

inline syncDone(n) {
  for (i : 0 .. COMMITS - 1) {
    if :: HAS(file[n].dirty, i) -> file[n].may[i] = BIT(file[n].cache[i]) :: else fi
  }
  i = 0;
  file[n].dirty = 0
}

/* The pages are clean now, and whether they are on the device is unknown. The size is not lost. */
inline syncFailed(n) {
  for (i : 0 .. COMMITS - 1) {
    if :: file[n].cache[i] != NONE -> file[n].dirty = file[n].dirty & ~BIT(i) :: else fi
  }
  i = 0
}

/* Forgets files that nothing refers to, so that equal states are equal. */
inline collect() {
  for (k : 0 .. FILES - 1) {
    if
    :: k != name && k != making && !HAS(nameMay, k) &&
      !(process[0].isOpen && process[0].fd == k) && !(process[1].isOpen && process[1].fd == k) &&
      !(process[2].isOpen && process[2].fd == k) ->
      for (i : 0 .. COMMITS - 1) { file[k].cache[i] = NONE; file[k].may[i] = BIT(NONE) }
      file[k].dirty = 0
    :: else
    fi
  }
  k = 0; i = 0
}

inline findFree(n) {
  n = 0;
  do
  :: n < FILES && (n == name || HAS(nameMay, n) ||
      (process[0].isOpen && process[0].fd == n) || (process[1].isOpen && process[1].fd == n) ||
      (process[2].isOpen && process[2].fd == n)) -> n++
  :: else -> break
  od
}

/* ---- Reading ----------------------------------------------------------------------------------- */

/* Reads frames from my end on, up to a size. */
inline readOn(size) {
  do
  :: my.end < size && IS_FRAME(file[my.fd].cache[my.end]) ->
    v = file[my.fd].cache[my.end];
    assert(past[v] == (past[my.last] | BIT(v)));  /* a chain */
    my.last = v;
    my.end++
  :: else -> break
  od;
  v = 0;
  my.isSynced = false
}

inline openFile() {
  my.isOpen = true; my.fd = name; my.end = 0; my.last = NONE;
  my.isSynced = false; my.isNameSynced = false; my.isRefused = false
}

#define LAST_IS_THERE (my.end == 0 || file[my.fd].cache[my.end - 1] == my.last)

inline endLook() {
  assert(WITHIN(seen, past[my.last]));
  assert(isEvicted || WITHIN(hoped, past[my.last]));
  assert((gone & past[my.last]) == 0);
  seen = 0; hoped = 0; gone = 0; size = 0; isSame = false
}

/* Catches up without the lock: the status, a look at the last frame, and reading are separate calls. */
inline look(isAllowed) {
  d_step {
    isAllowed ->
    seen = durable; hoped = committed; gone = rejected;
    sizeOf(name, size);
    k = name
  };
  atomic {
    isSame = my.isOpen && my.fd == k && size >= my.end && LAST_IS_THERE;
    k = 0;
    if
    :: !isSame -> openFile(); collect()  /* reads everything again */
    :: else
    fi
  };
  if
  :: d_step { isSame ->
#ifdef NO_STATUS
      size = my.end + 1;
#endif
      if :: size > my.end -> sizeOf(my.fd, size); readOn(size) :: else fi;
      endLook()
    }
  :: d_step { !isSame -> sizeOf(my.fd, size) };
    d_step { readOn(size); endLook() }
  fi
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* What a writer does next. */
#define IDLE 0
#define OPEN 1
#define COMMIT 2
#define COMMIT_DEFERRED 3
#define CONFIRM 4  /* a durable commit that changes nothing, or a durable snapshot */
#define CLOSE 5

inline setMark() {
#ifndef NO_MARK
  mark = true
#else
  skip
#endif
}

inline settle() { if :: !my.isDoubtful -> mark = false :: else fi }

/* Forces the file onto the device; `isKnown`: all commits but the last are there. */
inline sync(isKnown) {
  setMark();
  if
  :: syncDone(my.fd); settle(); ok = true
  :: failures > 0 -> failures--; syncFailed(my.fd); ok = false;
    if :: !(isKnown) -> my.isDoubtful = true; isOwed = true :: else fi
  fi
}

inline syncDirectory() {
#ifndef NO_DIRECTORY_SYNC
  if
  :: nameMay = BIT(name); ok = true; collect()
  :: failures > 0 -> failures--; ok = false
  fi;
#else
  ok = true;
#endif
  my.isNameSynced = ok
}

/* Fails to undo a commit: the next opening decides whether it took effect. */
inline refuse() { my.isDoubtful = true; isOwed = true; setMark(); my.isRefused = true }

/* What a process must see that holds the lock. */
inline checkView() {
  assert(WITHIN(durable, past[my.last]));
  assert(isEvicted || WITHIN(committed, past[my.last]));
  assert((rejected & past[my.last]) == 0)
}

/* Returns to the caller. Closing concerns only the process's own commits. */
inline acknowledge() {
  if
#ifdef STRICT_CLOSE
  :: op == CLOSE && isEvicted
  :: op == CLOSE && !isEvicted -> durable = durable | (my.mine & past[my.last])
#else
  :: op == CLOSE
#endif
  :: op == COMMIT_DEFERRED -> committed = committed | past[my.last]
  :: else -> assert(!isOwed); durable = durable | past[my.last]; committed = committed | durable
  fi
}

/* Writes my content into NAME.new as a base: the commits in the order of the chain. */
inline writeNew() {
  for (i : 1 .. COMMITS) {
    if :: HAS(past[my.last], i) -> k++ :: else fi
  }
  v = my.last;
  do
  :: v != NONE ->
    k--;
    put(making, k, v);
    /* the one before it, which has the largest past of the others */
    size = past[v] & ~BIT(v);
    v = NONE;
    for (i : 1 .. COMMITS) { if :: past[i] == size && size != 0 && HAS(size, i) -> v = i :: else fi }
  :: else -> break
  od;
  i = 0; k = 0; size = 0
}

/* ---- The processes ----------------------------------------------------------------------------- */

#define HAS_WORK (!my.isOpen || my.isRefused || next <= COMMITS || others > 0)

/* Each atomic block is one system call, with what the process computes around it. */
proctype Writer(byte me) {
  byte i, k, v, size, seen, hoped, gone;
  byte op, id;      /* what it does, and the commit that it makes */
  bool ok, isSame;
  bool isDone;      /* the commit is acknowledged */
again:
  {
end_idle:
    do
#ifdef WRITERS_LOOK
    :: look(my.isOpen && !my.isRefused)
#endif
    :: atomic {
#ifndef NO_LOCK
        lock == FREE && HAS_WORK -> lock = me;
#else
        HAS_WORK;
#endif
        if :: mark -> my.isDoubtful = true :: else fi;  /* takeOverDoubts */
        ok = true;
        if
        :: !my.isOpen || my.isRefused -> op = OPEN
        :: my.isOpen && !my.isRefused ->
          if
          :: next <= COMMITS -> id = next; next++; if :: op = COMMIT :: op = COMMIT_DEFERRED fi
          :: others > 0 -> others--; if :: op = CONFIRM :: op = CLOSE fi
          fi
        fi
      };

    /* catchUp and load. */
    atomic {
      if
#ifdef NO_CATCH_UP
      :: op != OPEN -> goto rewrite
#endif
#ifdef OLD_CLOSE
      :: op == CLOSE && !my.isDoubtful -> goto syncName
#endif
      :: else
      fi;
      sizeOf(name, size);
      if
      :: op != OPEN && my.fd == name && size >= my.end && LAST_IS_THERE ->
        if :: size > my.end -> readOn(size) :: else fi
      :: else -> openFile(); collect(); sizeOf(my.fd, size); readOn(size)
      fi;
      if :: size == my.end -> size = 0; checkView(); goto rewrite :: else -> size = 0 fi
    };

    /* The torn end of a process that was killed is cut off. */
    atomic {
      if
      :: truncate(my.fd, my.end)
      :: failures > 0 -> failures--; ok = false; my.isOpen = false; goto unlock
      fi
    };
    atomic {
      sync(false);
      if :: ok -> my.isSynced = true; checkView() :: else -> my.isOpen = false; goto unlock fi
    };

rewrite:  /* writeDoubtfulAnew, and after a commit compaction */
    atomic {
      if
      :: op == OPEN -> goto unlock
#ifdef NO_REWRITE
      :: !isDone -> goto syncName
#endif
#ifdef OLD_DEFERRED
      :: !isDone && op == COMMIT_DEFERRED -> goto syncName
#endif
      :: !isDone && !my.isDoubtful -> goto syncName
      :: else
      fi;
      findFree(k);
      if
      :: k == FILES -> k = 0; ok = isDone; goto unlock
      :: else -> making = k; k = 0; writeNew()
      fi
    };
#ifndef NO_SYNC_BEFORE_RENAME
    atomic {
      if
      :: syncDone(making)
      :: failures > 0 -> failures--; making = FREE; collect(); ok = isDone; goto unlock
      fi
    };
#endif
    atomic { name = making; nameMay = nameMay | BIT(making); making = FREE };
    atomic {
      syncDirectory();
      my.fd = name; my.isSynced = true; my.isDoubtful = false; isOwed = false;
      settle(); collect(); ok = true;
      if :: isDone -> goto unlock :: else fi
    };

syncName:  /* the name must be on the device before the commit is */
    atomic {
      if
      :: op != COMMIT_DEFERRED && !my.isNameSynced ->
        syncDirectory();
        if :: !ok -> goto unlock :: else fi
      :: else
      fi;
      if :: id == 0 -> goto makeDurable :: else fi
    };

    /* append */
    d_step { past[id] = past[my.last] | BIT(id); put(my.fd, my.end, TORN) };  /* half of the write */
    atomic {
      if
      :: put(my.fd, my.end, id)
      :: failures > 0 -> failures--; goto takeBack
      fi;
#ifdef ACK_BEFORE_SYNC
      if :: op == COMMIT -> durable = durable | past[id] :: else fi
#endif
    };
    atomic {
      if :: op == COMMIT -> sync(my.isSynced) :: else fi;
      if :: !ok -> goto takeBack :: else fi;
      my.isSynced = (op == COMMIT); my.last = id; my.end++;
      acknowledge();
      my.mine = my.mine | BIT(id);
      isDone = true; id = 0;
      if :: compactions > 0 -> compactions--; goto rewrite :: goto unlock fi
    };

makeDurable:
    atomic {
      if :: !my.isSynced -> sync(false) :: else fi;
      if :: ok -> my.isSynced = true; acknowledge() :: else fi;
      goto unlock
    };

takeBack:
#ifndef NO_TAKE_BACK
    atomic {
      setMark();
      if
      :: truncate(my.fd, my.end)
      :: failures > 0 -> failures--; refuse(); id = 0; goto unlock
      fi
    };
    atomic {
      if
      :: syncDone(my.fd); settle(); rejected = rejected | BIT(id)
      :: failures > 0 -> failures--; syncFailed(my.fd); refuse()
      fi;
      id = 0
    };
#endif

unlock:
    atomic {
      if :: id != 0 -> rejected = rejected | BIT(id); id = 0 :: else fi;
      if
      :: op == CLOSE || !my.isOpen ->
        my.isOpen = false; my.fd = 0; my.end = 0; my.last = NONE;
        my.isSynced = false; my.isNameSynced = false; my.isRefused = false; my.mine = 0; collect()
      :: else
      fi;
      if :: lock == me -> lock = FREE :: else fi;
      op = IDLE; ok = false; isDone = false
    }
    od
  } unless { atomic { HAS(dying, me) ->
    dying = dying & ~BIT(me);
    i = 0; k = 0; v = 0; size = 0; seen = 0; hoped = 0; gone = 0; op = IDLE; id = 0;
    ok = false; isSame = false; isDone = false } };
  goto again
}

proctype Reader(byte me) {
  byte i, k, v, size, seen, hoped, gone;
  bool isSame;
again:
  {
end_idle:
    do :: look(true) od
  } unless { atomic { HAS(dying, me) ->
    dying = dying & ~BIT(me);
    i = 0; k = 0; v = 0; size = 0; seen = 0; hoped = 0; gone = 0; isSame = false } };
  goto again
}

inline endProcess(p) {
  process[p].isOpen = false; process[p].fd = 0; process[p].end = 0; process[p].last = NONE;
  process[p].isSynced = false; process[p].isNameSynced = false; process[p].isDoubtful = false;
  process[p].isRefused = false; process[p].mine = 0;
  dying = dying | BIT(p)
}

/* Ends processes, cuts the power, and reads dropped pages again. */
proctype Fate() {
  byte i, k, v, last;
  byte left[COMMITS];
end_idle:
  do
  :: atomic { kills > 0 && dying == 0 -> kills--;
      if :: k = 0 :: k = 1 fi;
      endProcess(k);
      if :: lock == k -> lock = FREE; making = FREE :: else fi;
      collect() }
  :: atomic { cuts > 0 && dying == 0 -> cuts--;
      k = 0;
      do :: HAS(nameMay, k) -> break :: (nameMay >> (k + 1)) != 0 -> k++ od;
      for (i : 0 .. COMMITS - 1) {
        v = 0;
        do :: HAS(file[k].may[i], v) -> break :: (file[k].may[i] >> (v + 1)) != 0 -> v++ od;
        left[i] = v
      }
      endProcess(0); endProcess(1);
#ifndef NO_READER
      endProcess(2);
#endif
      lock = FREE; making = FREE; name = 0; nameMay = 1; isOwed = false; isEvicted = false;
      collect();
      for (i : 0 .. COMMITS - 1) {
        file[0].cache[i] = left[i]; file[0].may[i] = BIT(left[i]); left[i] = 0
      }
      file[0].dirty = 0;
      if :: mark = false :: mark = true fi;
      last = NONE;
      for (i : 0 .. COMMITS - 1) {
        if
        :: IS_FRAME(file[0].cache[i]) ->
          if
          :: past[file[0].cache[i]] == (past[last] | BIT(file[0].cache[i])) -> last = file[0].cache[i]
          :: else ->
#ifdef STRICT_DEFERRED
            assert(false);
#endif
            for (k : i .. COMMITS - 1) { file[0].cache[k] = NONE; file[0].may[k] = BIT(NONE) }
            break
          fi
        :: else -> break
        fi
      }
      assert(WITHIN(durable, past[last]));
      assert((rejected & past[last]) == 0);
      committed = committed & past[last];
      i = 0; k = 0; v = 0; last = 0 }
  :: atomic { evictions > 0 && dying == 0 && failures < FAILURES ->
      k = name;
      i = 0; do :: i < COMMITS - 1 -> i++ :: break od;
      v = 0; do :: v < TORN -> v++ :: break od;
      if
      :: IS_FRAME(file[k].cache[i]) && !HAS(file[k].dirty, i) && v != file[k].cache[i] &&
          HAS(file[k].may[i], v) ->
        evictions--; isEvicted = true;
        file[k].may[i] = BIT(v);
        file[k].cache[i] = (v == NONE -> TORN : v)
      :: else
      fi;
      i = 0; k = 0; v = 0 }
  od
}

init {
  byte i, k;
  atomic {
    for (k : 0 .. FILES - 1) { for (i : 0 .. COMMITS - 1) { file[k].may[i] = BIT(NONE) } }
    i = 0; k = 0;
    run Writer(0); run Writer(1); run Fate();
#ifndef NO_READER
    run Reader(2)
#else
    skip
#endif
  }
}
