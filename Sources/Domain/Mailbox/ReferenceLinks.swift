/// Which threads refer to a message id under a subject, by one hash of both, which is never 0.
struct ReferenceLinks: Sendable {
  /// A thread that refers to it, and how many of the thread's mails do.
  private struct Link {
    var thread: UInt32
    var mails: UInt32
  }

  /// The mail that refers, and the hash of what it refers to, in the mails' order; 0 once the mail is
  /// erased.
  private var mails: [UInt32] = []
  private var keys: [UInt64] = []
  /// The oldest thread behind each hash.
  private var oldest: [UInt64: Link] = [:]
  /// The other threads, oldest first. There are few: a later mail joins the thread of an earlier one,
  /// except in logs from before there were threads.
  private var others: [UInt64: [Link]] = [:]

  init() {}

  /// The oldest thread that refers to it.
  func thread(of key: UInt64) -> UInt32? { oldest[key]?.thread }

  /// Takes in what a mail refers to that is behind all others.
  mutating func add(_ more: [UInt64], of mail: UInt32, in thread: UInt32) {
    for key in more {
      mails.append(mail)
      keys.append(key)
      count(key, in: thread)
    }
  }

  private mutating func count(_ key: UInt64, in thread: UInt32) {
    guard let link = oldest[key] else {
      oldest[key] = Link(thread: thread, mails: 1)
      return
    }
    if link.thread == thread {
      oldest[key] = Link(thread: thread, mails: link.mails + 1)
      return
    }
    // Taken out, so that it has one owner: each change would copy it otherwise.
    var later = others.removeValue(forKey: key) ?? []
    var added = Link(thread: thread, mails: 1)
    if thread < link.thread {
      oldest[key] = added
      added = link
    }
    let place = later.partition { $0.thread >= added.thread }
    if place < later.count, later[place].thread == added.thread {
      later[place].mails += added.mails
    } else {
      later.insert(added, at: place)
    }
    others[key] = later
  }

  /// Forgets what a mail refers to.
  mutating func remove(_ mail: UInt32, in thread: UInt32) {
    var place = mails.partition { $0 >= mail }
    while place < mails.count, mails[place] == mail {
      if keys[place] != 0 { discount(keys[place], in: thread) }
      keys[place] = 0
      place += 1
    }
  }

  private mutating func discount(_ key: UInt64, in thread: UInt32) {
    guard let link = oldest[key] else { return }
    if link.thread == thread {
      if link.mails > 1 {
        oldest[key] = Link(thread: thread, mails: link.mails - 1)
        return
      }
      oldest[key] = nil
      guard var later = others.removeValue(forKey: key) else { return }
      oldest[key] = later.removeFirst()
      if !later.isEmpty { others[key] = later }
      return
    }
    guard var later = others.removeValue(forKey: key) else { return }
    let place = later.partition { $0.thread >= thread }
    if place < later.count, later[place].thread == thread {
      later[place].mails -= 1
      if later[place].mails == 0 { later.remove(at: place) }
    }
    if !later.isEmpty { others[key] = later }
  }

  /// What there is, by mail, in order.
  var entries: [(mail: UInt32, key: UInt64)] {
    zip(mails, keys).lazy.filter { $0.1 != 0 }.map { (mail: $0.0, key: $0.1) }
  }

  /// About how many bytes of memory it takes.
  var memoryFootprint: Int {
    mails.capacity * 4 + keys.capacity * 8 + oldest.capacity * 16 * 4 / 3
      // Few have more than two.
      + others.capacity * 96
  }
}

extension ReferenceLinks: Equatable {
  /// All else follows from these and the mails' threads.
  static func == (a: ReferenceLinks, b: ReferenceLinks) -> Bool {
    a.entries.elementsEqual(b.entries) { $0 == $1 }
  }
}

extension Array {
  /// The index of the first element for which `isBehind` holds, as it does for all behind it.
  fileprivate func partition(_ isBehind: (Element) -> Bool) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if isBehind(self[middle]) {
        range = range.lowerBound..<middle
      } else {
        range = (middle + 1)..<range.upperBound
      }
    }
    return range.lowerBound
  }
}
