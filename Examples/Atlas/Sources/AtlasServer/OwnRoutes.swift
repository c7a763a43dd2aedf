import FieldKit
import FieldTransit
import Foundation
import Hummingbird
import NIOCore

extension Router where Context == BasicRequestContext {
  /// The visitor's own tables.
  func addOwn(_ world: World) {
    let own = world.own
    get("api/own") { _, _ in
      var payloads: [OwnPayload] = []
      for dataset in await own.all { payloads.append(try await OwnPayload(dataset)) }
      return try json(payloads)
    }
    post("api/own/file") { request, _ in
      let name = try request.text("name", isRequired: false, limit: 200)
      let changed = request.uri.queryParameters["changed"].flatMap { Double($0) }
      let file = try await request.receivedFile(limit: OwnLimits.fileSize, called: "file")
      defer { try? FileManager.default.removeItem(at: file) }
      let dataset = try await own.add(
        file: file, named: name,
        changed: changed.flatMap {
          (0...4e12).contains($0) ? Date(timeIntervalSince1970: $0 / 1000) : nil
        })
      await world.tellOwn()
      return try json(try await OwnPayload(dataset), status: .created)
    }
    post("api/own/address") { request, _ in
      guard let body = try? await request.body.collect(upTo: 2 * OwnLimits.addressLength) else {
        throw HTTPError(.contentTooLarge, message: "The address is too long.")
      }
      let dataset = try await own.add(address: String(buffer: body))
      await world.tellOwn()
      return try json(try await OwnPayload(dataset), status: .created)
    }
    get("api/own/{id}") { _, context in
      try json(try await OwnPayload(try await own.require(context)))
    }
    post("api/own/{id}/refresh") { _, context in
      let id = try await own.require(context).entry.id
      let payload = await world.refreshOwn(id)
      return try json(payload)
    }
    delete("api/own/{id}") { _, context in
      try await own.remove(try await own.require(context).entry.id)
      await world.tellOwn()
      return try json(["removed": true])
    }
    get("api/own/{id}/rows") { request, context in
      let catalog = try await own.requireTable(context)
      let text = try request.text("text", isRequired: false)
      let order = try request.text("order", isRequired: false)
      let direction: ValueOrder =
        request.uri.queryParameters["descending"] == "1" ? .descending : .ascending
      // atlas:begin own
      let view = try await catalog.view()
      let (found, time) = measured { () -> (count: Int, rows: [OwnRow]) in
        if !text.isEmpty { return (view.count(matching: text), view.search(text, limit: 200)) }
        let rows =
          switch order {
          case "name": view.find(\.name, order: direction, limit: 200)
          case "first": view.find(\.first, order: direction, limit: 200)
          case "second": view.find(\.second, order: direction, limit: 200)
          case "third": view.find(\.third, order: direction, limit: 200)
          default: view.find(limit: 200)
          }
        return (view.count, rows)
      }
      // atlas:end own
      return try json(
        OwnAnswer(
          count: found.count, rows: found.rows.map { OwnAnswer.Row($0) }, microseconds: time))
    }
    get("api/own/{id}/near") { request, context in
      let catalog = try await own.requireTable(context)
      let place = try Coordinate(
        latitude: request.number("latitude"), longitude: request.number("longitude"))
      // atlas:begin own
      let view = try await catalog.view()
      let (near, time) = measured { view.nearest(to: place, count: 10) }
      // atlas:end own
      return try json(
        OwnAnswer(
          count: near.count, rows: near.map { OwnAnswer.Row($0.record, distance: $0.distance) },
          microseconds: time))
    }
    get("api/own/{id}/places") { request, context in
      let catalog = try await own.requireTable(context)
      let text = try request.text("text", isRequired: false)
      let view = try await catalog.view()
      return try json(
        text.isEmpty ? OwnPlaces(view.all) : OwnPlaces(view.search(text, limit: 20_000)))
    }
  }

  /// The visitor's own timetables.
  func addOwnTransit(_ world: World) {
    let own = world.own
    get("api/own/{id}/map") { _, context in
      try json(try await own.requireTimetable(context).cityMap())
    }
    get("api/own/{id}/stops") { request, context in
      let timetable = try await own.requireTimetable(context).timetable(
        in: try request.text("language", isRequired: false))
      let text = try request.text("text", isRequired: false)
      // atlas:begin transit
      let stops =
        text.isEmpty
        ? timetable.stops(
          near: try Coordinate(
            latitude: request.number("latitude"), longitude: request.number("longitude")),
          within: .kilometers(50), limit: 8)
        : timetable.stops(matching: text, limit: 12)
      // atlas:end transit
      return try json(stops.map(TransitStopPayload.init))
    }
    get("api/own/{id}/journeys") { request, context in
      let source = try await own.requireTimetable(context)
      let timetable = try await source.timetable(
        in: try request.text("language", isRequired: false))
      let from = try request.text("from", limit: 200)
      let to = try request.text("to", limit: 200)
      let now = Date()
      // atlas:begin transit
      let time = try request.time(in: timetable)
      let (answer, duration) = try measured {
        try timetable.journeys(from: .stop(from), to: .stop(to), departing: time)
      }
      // atlas:end transit
      let live = TransitLive(source.message.withLock { $0 }, timetable, now: now)
      return try json(TransitAnswer(answer, microseconds: duration, live: live, now: now))
    }
    get("api/own/{id}/departures") { request, context in
      let source = try await own.requireTimetable(context)
      let timetable = try await source.timetable(
        in: try request.text("language", isRequired: false))
      let stop = try request.text("stop", limit: 200)
      let now = Date()
      // atlas:begin transit
      let time = try request.time(in: timetable)
      let (departures, duration) = try measured {
        try timetable.departures(at: stop, from: time, limit: 12)
      }
      // atlas:end transit
      return try json(
        TransitBoard(
          stop: timetable.stop(stop).map(TransitStopPayload.init),
          departures: departures.map { TransitLegPayload($0.leg, now: now) },
          microseconds: duration,
          live: TransitLive(source.message.withLock { $0 }, timetable, now: now)))
    }
    post("api/own/{id}/delay") { request, context in
      let source = try await own.requireTimetable(context)
      let trip = try request.text("trip", limit: 200)
      let stop = try request.text("stop", limit: 200)
      let day = try CalendarDay(try request.text("day"))
      let minutes = try request.number("minutes")
      guard (1...180).contains(minutes) else {
        throw HTTPError(.badRequest, message: "A train can be 1 through 180 minutes late.")
      }
      guard let timetable = try await source.catalog.view().timetable else {
        throw HTTPError(.notFound)
      }
      // atlas:begin transit
      // A trip may have begun on the day before, because service days continue after midnight.
      for start in [day, day.adding(days: -1)] {
        let message = LiveMessage(
          delaying: trip, on: start, from: stop, by: Int(minutes), at: Date())
        let live = timetable.applying([try RealtimeMessage(message.bytes)], at: message.date)
        guard live.realtime?.predictedTripCount == 1 else { continue }
        source.message.withLock { $0 = message }
        return try json(TransitLive(message, live, now: Date()), status: .created)
      }
      // atlas:end transit
      throw HTTPError(.notFound, message: "The trip \(trip) doesn't run on \(day).")
    }
    delete("api/own/{id}/delay") { _, context in
      try await own.requireTimetable(context).message.withLock { $0 = nil }
      return try json(["removed": true])
    }
  }
}

extension OwnData {
  func require(_ context: BasicRequestContext) throws -> Dataset {
    guard let dataset = self[try context.parameters.require("id")] else {
      throw HTTPError(.notFound, message: "There is no such dataset. It may have been removed.")
    }
    return dataset
  }

  func requireTable(_ context: BasicRequestContext) throws -> Catalog<OwnRow> {
    guard case .table(let catalog, _) = try require(context).content else {
      throw HTTPError(.notFound, message: "The dataset isn't a table.")
    }
    return catalog
  }

  func requireTimetable(_ context: BasicRequestContext) throws -> OwnTimetable {
    guard case .timetable(let timetable) = try require(context).content else {
      throw HTTPError(.notFound, message: "The dataset isn't a timetable.")
    }
    return timetable
  }
}

extension Request {
  /// Returns the moment of the parameters `day`, such as `2026-05-04`, and `time`, such as `08:10`, in a timetable's
  /// zone; now without them.
  fileprivate func time(in timetable: Timetable) throws -> Date {
    let text = try text("time", isRequired: false)
    guard !text.isEmpty else { return Date() }
    let parts = text.split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2, (0...47).contains(parts[0]), (0...59).contains(parts[1]) else {
      throw HTTPError(.badRequest, message: "The parameter time isn't a time, such as 08:10.")
    }
    return timetable.date(
      of: try CalendarDay(try self.text("day")), minutes: parts[0] * 60 + parts[1])
  }
}
