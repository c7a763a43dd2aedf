private import FieldLibc
#if canImport(Darwin)
  private import MachO
#endif

/// The identity of the running program, which is that of its code and of all libraries that are loaded.
package enum ProgramIdentity {
  /// A digest that differs in every other build of the program or of a library, or `nil` if there is none.
  ///
  /// Libraries may be loaded at any time, so it isn't kept. It takes some microseconds.
  package static var current: [UInt8]? {
    guard let images = images(), !images.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for image in images {
      bytes.append(fixed: UInt64(image.count))
      bytes += image
    }
    return SHA256.digest(of: bytes)
  }
}

#if canImport(Glibc) || canImport(Musl)
  extension ProgramIdentity {
    // The declarations in <link.h>, which Swift doesn't import, because they are extensions.
    private typealias Visit =
      @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
    private typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32

    /// The build IDs of all objects in the memory of the process.
    private static func images() -> [[UInt8]]? {
      guard let symbol = unsafe dlsym(nil, "dl_iterate_phdr") else { return nil }
      let iterate = unsafe unsafeBitCast(symbol, to: Iterate.self)
      let images = UnsafeMutablePointer<[[UInt8]]>.allocate(capacity: 1)
      unsafe images.initialize(to: [])
      defer {
        unsafe images.deinitialize(count: 1)
        unsafe images.deallocate()
      }
      let result = unsafe iterate({ unsafe ProgramIdentity.add($0, to: $2) }, images)
      return unsafe result == 0 ? images.pointee : nil
    }

    /// Adds the identity of an object, and returns whether there is none.
    private static func add(_ info: UnsafeRawPointer?, to images: UnsafeMutableRawPointer?) -> Int32
    {
      guard let info = unsafe info,
        let images = unsafe images?.assumingMemoryBound(to: [[UInt8]].self)
      else { return 1 }
      let isProgram = unsafe images.pointee.isEmpty
      guard let image = unsafe buildID(info) ?? (isProgram ? statusOfProgram() : nil) else {
        return 1
      }
      unsafe images.pointee.append(image)
      return 0
    }

    /// Returns the build ID of an object, which its linker has computed from its content.
    private static func buildID(_ info: UnsafeRawPointer) -> [UInt8]? {
      let word = MemoryLayout<UInt>.size
      let isWide = word == 8
      let base = unsafe info.load(as: UInt.self)
      guard let headers = unsafe info.load(fromByteOffset: 2 * word, as: UnsafeRawPointer?.self)
      else { return nil }
      let count = Int(unsafe info.load(fromByteOffset: 3 * word, as: UInt16.self))
      for number in 0..<count {
        let header = unsafe headers + number * (isWide ? 56 : 32)
        guard unsafe header.load(as: UInt32.self) == noteSegment else { continue }
        let address = unsafe header.load(fromByteOffset: isWide ? 16 : 8, as: UInt.self)
        let size = unsafe header.load(fromByteOffset: isWide ? 40 : 20, as: UInt.self)
        let alignment = unsafe header.load(fromByteOffset: isWide ? 48 : 28, as: UInt.self)
        guard let start = unsafe UnsafeRawPointer(bitPattern: base &+ address) else { continue }
        let notes = unsafe UnsafeRawBufferPointer(start: start, count: Int(size))
        if let found = unsafe buildID(in: notes, alignment: alignment == 8 ? 8 : 4) {
          return found
        }
      }
      return nil
    }

    private static func buildID(
      in notes: UnsafeRawBufferPointer, alignment: Int
    ) -> [UInt8]? {
      func padded(_ size: Int) -> Int { (size + alignment - 1) / alignment * alignment }
      var place = 0
      while notes.count - place >= 16 {
        let head = (0..<4).map {
          unsafe notes.loadUnaligned(fromByteOffset: place + 4 * $0, as: UInt32.self)
        }
        let (nameSize, size) = (Int(head[0]), Int(head[1]))
        let start = place + padded(12 + nameSize)
        guard nameSize <= notes.count, size <= notes.count, start + size <= notes.count else {
          return nil
        }
        if head[2] == buildIDNote, nameSize == 4, head[3] == nameOfGNU, size > 0 {
          return unsafe Array(notes[start..<start + size])
        }
        place = start + padded(size)
      }
      return nil
    }

    private static var noteSegment: UInt32 { 4 }
    private static var buildIDNote: UInt32 { 3 }
    /// The letters `GNU`.
    private static var nameOfGNU: UInt32 { UInt32(littleEndian: 0x0055_4E47) }

    /// The status of the program's file, for a linker that computes no build ID.
    ///
    /// The link leads to the file that is running, even if another has its path by now. Of a library, only the path
    /// is known.
    private static func statusOfProgram() -> [UInt8]? {
      var found = stat()
      guard unsafe stat("/proc/self/exe", &found) == 0 else { return nil }
      var bytes: [UInt8] = []
      bytes.append(fixed: UInt64(truncatingIfNeeded: found.st_dev))
      bytes.append(fixed: UInt64(truncatingIfNeeded: found.st_ino))
      bytes.append(fixed: Int64(found.st_size))
      for time in [found.st_mtim, found.st_ctim] {
        bytes.append(fixed: Int64(time.tv_sec))
        bytes.append(fixed: Int64(time.tv_nsec))
      }
      return bytes
    }
  }
#elseif canImport(Darwin)
  extension ProgramIdentity {
    /// The version of the system, and the UUIDs of all images that don't belong to it.
    private static func images() -> [[UInt8]]? {
      guard let system = systemVersion() else { return nil }
      var images = [system]
      for number in 0..<_dyld_image_count() {
        guard let name = unsafe _dyld_get_image_name(number),
          let header = unsafe _dyld_get_image_header(number)
        else { continue }
        // These are on a sealed volume and can't change without the version. There are hundreds.
        if unsafe strncmp(name, "/usr/lib/", 9) == 0 || strncmp(name, "/System/", 8) == 0 {
          continue
        }
        guard let image = unsafe uuid(UnsafeRawPointer(header)) else { return nil }
        images.append(image)
      }
      return images
    }

    private static func systemVersion() -> [UInt8]? {
      var size = 128
      var bytes = [UInt8](repeating: 0, count: size)
      guard unsafe sysctlbyname("kern.osversion", &bytes, &size, nil, 0) == 0, size > 1 else {
        return nil
      }
      return Array(bytes.prefix(size))
    }

    /// Returns the UUID that the linker has given to an image.
    private static func uuid(_ header: UnsafeRawPointer) -> [UInt8]? {
      let isWide = unsafe header.load(as: UInt32.self) == 0xFEED_FACF
      let count = Int(unsafe header.load(fromByteOffset: 16, as: UInt32.self))
      var command = unsafe header + (isWide ? 32 : 28)
      for _ in 0..<count {
        let kind = unsafe command.loadUnaligned(as: UInt32.self)
        let size = Int(unsafe command.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        if kind == 0x1B, size >= 24 {  // LC_UUID
          return unsafe Array(UnsafeRawBufferPointer(start: command + 8, count: 16))
        }
        unsafe command += size
      }
      return nil
    }
  }
#else
  extension ProgramIdentity {
    private static func images() -> [[UInt8]]? { nil }
  }
#endif
