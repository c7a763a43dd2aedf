#if canImport(MapKit) && canImport(SwiftUI)
  import FieldKit
  import MapKit
  import SwiftUI

  /// A map of a route. It needs no permission and no key.
  struct WalkMap: View {
    let route: WalkRoute

    var body: some View {
      Map {
        // Nothing was recorded between two segments, so no line connects them.
        ForEach(Array(route.segments.enumerated()), id: \.offset) { segment in
          MapPolyline(coordinates: segment.element.map(\.coordinate.location))
            .stroke(.tint, lineWidth: 4)
        }
        if let start = route.start {
          Marker("Start", systemImage: "figure.walk", coordinate: start.coordinate.location)
        }
      }
    }
  }

  extension Coordinate {
    var location: CLLocationCoordinate2D {
      CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
  }
#endif
