internal import FieldCore
internal import FieldFoundation

extension PortalDataset {
  /// Returns the place of a dataset on data.taipei, whose page has another ID than its data.
  static func taipei(_ root: URL, _ path: [String], _ query: QueryReader) -> Place? {
    if query["scope"] == "resourceAquire" {
      // The portal spells it without a c.
      let id = path.last == "apiAccess" ? query["rid"] : path.last
      return id.map { .taipei(root, dataset(of: $0)) }
    }
    guard root.host()?.hasSuffix("data.taipei") == true, path == ["dataset", "detail"],
      let id = query["id"]
    else { return nil }
    return .taipei(
      root,
      TaipeiDataset.known.first { $0.id == id } ?? TaipeiDataset(id: id, name: id, resources: []))
  }

  /// Returns the dataset that the ID of its data belongs to, whose other IDs aren't tried.
  private static func dataset(of id: String) -> TaipeiDataset {
    let resource = TaipeiDataset.Resource(rawValue: id)
    var dataset =
      TaipeiDataset.known.first { $0.resources.contains(resource) }
      ?? TaipeiDataset(id: id, name: id, resources: [])
    dataset.resources = [resource]
    return dataset
  }

  func taipei(
    _ root: URL, _ dataset: TaipeiDataset, over transport: any Transport
  ) async throws -> PortalDescription {
    guard !dataset.resources.isEmpty else {
      throw Self.unsupported(
        "The page \(address.absoluteString) doesn't say where its data is. Use the URL of its API, "
          + "which contains the ID of the data: \(root.absoluteString)/api/v1/dataset/…?scope=resourceAquire."
      )
    }
    let portal = TaipeiOpenData(transport: transport, base: root, pageSize: 1)
    return try await portal.withFirstAvailableResource(of: dataset, operation: Self.operation) {
      resource in
      let url = try portal.address(of: resource)
      let response = try await portal.answer(url, isFirst: true, operation: Self.operation)
      let answer = try response.reading(operation: Self.operation) { try JSONDocument.value($0) }
      guard let rows = answer["result"]?["results"]?.elements else {
        throw FieldError(
          .datasetRetired, "The response has no rows under result.results.",
          operation: Self.operation)
      }
      var columns: [PortalColumn] = []
      if case .object(let members)? = rows.first {
        columns = members.filter { !["_id", ImportDate.column].contains($0.key) }
          .map { PortalColumn(name: $0.key, title: $0.key, type: "text") }
      }
      return PortalDescription(
        family: family, name: dataset.name, summary: "", columns: columns,
        rowCount: answer["result"]?["count"]?.integer,
        updatedAt: rows.first?[ImportDate.column].flatMap(ImportDate.date),
        dataSource: DataSource(
          portal: dataset.name, publisher: "臺北市資料大平臺 (data.taipei)",
          page: dataset.page ?? address,
          license: "政府資料開放授權條款－第1版 (Open Government Data License, version 1.0)",
          attribution: nil),
        url: url, rows: .taipei(root, dataset))
    }
  }
}

extension TaipeiDataset {
  /// The datasets whose IDs are known.
  fileprivate static var known: [TaipeiDataset] {
    [
      .zooAnimals, .zooAreas, .zooPlants, .zooServices, .metroArrivals, .metroExits, .metroStations,
    ]
  }
}
