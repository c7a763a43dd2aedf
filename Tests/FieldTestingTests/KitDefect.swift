import FieldTesting

/// What is wrong with a ``DefectiveKit``: one rule of `Kit` or of the guide that it breaks.
enum KitDefect: String, CaseIterable, Sendable {
  // Creating and opening.
  case connectsOnCreation, opensOnCreation, needsOpening, opensForEachCaller, forgetsSchedule
  case renamesItself, erasesOnClose, keepsToItself, closesOthers
  // Refreshing.
  case forgetsItsAge, reportsNothingNew, countsNothing, misdates
  case keepsOldAge, countsConfirmed, erasesUnmodified, sendsNoTags
  case startsOnProgress, renamesSteps, goesBackward, overshoots, hidesOutcomes, hidesFailures
  case neverEndsProgress
  case neverDue, forgetsFailures, schedulesFailures, fetchesForDate, ignoresSchedule, skipsSchedule
  // Sharing a refresh.
  case sharesNothing, sharesMost, treatsNowAsIfDue, claimsToBeDue, joinsWeaker, joinsScheduled
  case cancelsAll, ignoresCancellation
  // Failures of the source.
  case datesFailures, erasesOnFailure, throwsForeignErrors, replacesCodes, losesUnderlying
  case takesPages, takesEmptyBodies, takesHalves, takesMissingFiles, retriesTwice
  // Rows.
  case hidesFailedRows, keepsRemoved, removesUnreadable, hidesSkippedRemovals
  case acceptsRemovals, hidesRefusedRemovals, acceptsMore, acceptsNone, acceptsAgain
  case hidesRepeatedIDs, hidesUnreadableValues, ignoresNewColumns
  // Following.
  case repeatsResults, missesChanges, neverEndsResults, failsOnClose, hidesDamagedFiles
  // Damage.
  case hidesDamage, repeatsDamage, hidesDamageInViews, keepsDamageInViews
  case givesNoAdvice, erasesOnlyWhatOpens, deletesDamagedFiles
  // Erasing and closing.
  case erasesNothing, erasesUntilReopened, isNotDueAfterErasing
  case reappears, replacesConflicts, ignoresOthersErasing
  case outlivesClosing, replacesClosed, staysOpen

  /// Those that show only if calls meet.
  static let races: [Self] = [
    .sharesNothing, .sharesMost, .joinsWeaker, .joinsScheduled, .cancelsAll,
  ]

  /// Those that a case finds only by waiting for what never comes.
  static let waits: [Self] = [
    .neverEndsProgress, .ignoresCancellation, .missesChanges, .neverEndsResults,
  ]

  /// A case that finds the defect.
  var testCase: KitConformance.Case {
    switch self {
    case .connectsOnCreation, .opensOnCreation: .creation
    case .needsOpening, .opensForEachCaller, .forgetsSchedule: .firstUse
    case .renamesItself: .name
    case .erasesOnClose: .reopening
    case .keepsToItself, .closesOthers: .twoKits
    case .forgetsItsAge, .reportsNothingNew, .countsNothing, .misdates: .refresh
    case .keepsOldAge, .countsConfirmed, .erasesUnmodified: .confirmation
    case .sendsNoTags: .conditionalRequests
    case .startsOnProgress, .renamesSteps, .goesBackward, .overshoots, .hidesOutcomes,
      .hidesFailures, .neverEndsProgress:
      .progress
    case .neverDue, .forgetsFailures, .schedulesFailures, .fetchesForDate, .ignoresSchedule,
      .skipsSchedule:
      .schedule
    case .sharesNothing, .sharesMost: .sharedRun
    case .treatsNowAsIfDue, .joinsWeaker, .claimsToBeDue: .nowNeverJoinsWeaker
    case .joinsScheduled: .noneJoinsScheduled
    case .cancelsAll, .ignoresCancellation: .cancellationOfOne
    case .datesFailures: .offlineStart
    case .erasesOnFailure, .throwsForeignErrors: .failureKeepsData
    case .replacesCodes, .losesUnderlying: .transportErrors
    case .takesPages, .takesEmptyBodies, .takesHalves, .takesMissingFiles: .refusals
    case .retriesTwice: .retriesOnce
    case .hidesFailedRows, .keepsRemoved, .removesUnreadable, .hidesSkippedRemovals: .removals
    case .acceptsRemovals, .hidesRefusedRemovals, .acceptsMore, .acceptsNone, .acceptsAgain:
      .refusedRemovals
    case .hidesRepeatedIDs: .repeatedIDs
    case .hidesUnreadableValues: .unreadableValues
    case .ignoresNewColumns: .newColumns
    case .repeatsResults, .missesChanges, .neverEndsResults, .failsOnClose: .following
    case .hidesDamagedFiles: .followingDamaged
    case .hidesDamage, .repeatsDamage: .damageIsReportedOnce
    case .hidesDamageInViews, .keepsDamageInViews: .damageInViews
    case .givesNoAdvice, .erasesOnlyWhatOpens, .deletesDamagedFiles: .damagedHeader
    case .erasesNothing, .erasesUntilReopened, .isNotDueAfterErasing: .erasing
    case .reappears, .replacesConflicts: .erasingDuringRefresh
    case .ignoresOthersErasing: .erasingByAnother
    case .outlivesClosing, .replacesClosed: .closingDuringRefresh
    case .staysOpen: .useAfterClose
    }
  }
}
