/// Re-exports the part of Foundation that FieldKit needs: FoundationEssentials where it exists, so that a
/// program doesn't link ICU, and Foundation elsewhere.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
