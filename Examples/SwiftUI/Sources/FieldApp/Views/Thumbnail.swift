#if canImport(ImageIO) && canImport(SwiftUI)
  import FieldKit
  import ImageIO
  import SwiftUI

  /// A picture from a cache, decoded no larger than it is shown.
  struct Thumbnail: View {
    @State private var image: CGImage?
    let request: AssetRequest
    let pictures: AssetCache

    var body: some View {
      ZStack {
        Color.secondary.opacity(0.2)
        if let image { Image(decorative: image, scale: 3).resizable().scaledToFill() }
      }
      .frame(width: 56, height: 56)
      .clipShape(.rect(cornerRadius: 8))
      .task(id: request) {
        // Without a network, the cache returns the picture that it has; without one, the gray square stays.
        guard let asset = try? await pictures.asset(for: request) else { return }
        image = await Self.thumbnail(of: asset.data, size: 168)
      }
    }

    /// Returns a small form of a picture, whose large one is never in memory.
    @concurrent
    private nonisolated static func thumbnail(of data: Data, size: Int) async -> CGImage? {
      guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
      let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceThumbnailMaxPixelSize: size,
      ]
      return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }
  }
#endif
