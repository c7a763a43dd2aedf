//! Pictures from memory, from files, and from their sources.

// snippet.hide
import FieldKit
import Foundation

func show(_ data: Data) {}

func cachingPictures(rows: [String], photo: URL, guide: URL, token: URL) async throws {
  // snippet.show
  // snippet.making
  let pictures = AssetCache(
    storage: .application("ZooGuide"), transport: URLSessionTransport().retrying(),
    limits: AssetLimits(memoryBytes: 32 << 20, diskBytes: 256 << 20, largestAsset: 16 << 20))
  // snippet.end

  // snippet.asking
  let request = try AssetRequest("http://www.zoo.gov.tw/Ateles fusciceps/Pic01.jpg")
  let remote = try await pictures.asset(for: request)  // memory, a file, or the network
  let own = try await pictures.asset(for: AssetRequest(photo))  // a file URL: read in place
  show(remote.data)
  print(remote.origin, own.file as Any)
  // snippet.end

  // snippet.requests
  let book = AssetRequest(guide, accepting: [.pdf])
  let portrait = AssetRequest(token, key: "pet/mesh/portrait")  // the URL changes
  // snippet.end
  _ = (book, portrait)

  // snippet.old
  if let old = try await pictures.cached(request) { show(old.data) }  // immediately, however old
  let asset = try await pictures.asset(for: request)
  if let failure = asset.refreshFailure {
    print("as of", asset.confirmedAt as Any, failure.message)
  }
  let newest = try await pictures.asset(for: request, refresh: .now)
  // snippet.end
  show(newest.data)

  // snippet.prefetching
  let report = try await pictures.prefetch(rows.compactMap { try? AssetRequest($0) })
  for failure in report.failures { print(failure.request.url, failure.error.message) }
  // snippet.end

  // snippet.errors
  do {
    show(try await pictures.asset(for: request).data)
  } catch let error as FieldError where error.code == .assetFormat {
    print("received a web page instead of a picture")
  } catch let error as FieldError where error.code == .notFound {
    print("the source doesn't have this picture")
  } catch let error as FieldError where error.code == .assetTooLarge {
    print(error.message)
  }
  // snippet.end

  // snippet.looking
  pictures.releaseMemory()  // when the system runs low on memory
  let state = try await pictures.report()
  print(state.memoryBytes, state.diskBytes, state.dropCount, state.diskFailure as Any)
  try await pictures.removeAll()  // when the user signs out
  // snippet.end
  // snippet.hide
}
