/// Which mails of a mailbox have which labels.
///
/// Most mails have none, and many have the same ones: so each distinct set of labels is kept once, and
/// a labelled mail costs about 16 bytes.
struct MailLabels: Sendable {
  /// Distinct labels in a mailbox: each is a list that people choose from.
  static let perMailboxLimit = 1000
  static let perMailLimit = 100

  /// A set of labels that mails have, in order, and how many have it.
  private struct Shared {
    let labels: [MailLabel]
    var mails = 0
  }

  /// By number; a number that no mail uses any more is taken for the next new set.
  private var sets: [Shared] = []
  private var numbers: [[MailLabel]: UInt32] = [:]
  private var free: [UInt32] = []
  /// By mail.
  private var setOfMail: [UInt32: UInt32] = [:]
  /// How many mails have a label.
  private(set) var uses: [MailLabel: Int] = [:]
  /// How many labels all sets have together, and how long those in use are.
  private var labelsInSets = 0
  private var nameBytes = 0

  init() {}

  /// In order.
  func labels(of mail: UInt32) -> [MailLabel] {
    setOfMail[mail].map { sets[Int($0)].labels } ?? []
  }

  func has(_ mail: UInt32, _ label: MailLabel) -> Bool {
    guard let number = setOfMail[mail] else { return false }
    return sets[Int(number)].labels.contains(label)
  }

  /// The mails that have labels, in order.
  var mails: [UInt32] { setOfMail.keys.sorted() }

  mutating func add(_ label: MailLabel, to mail: UInt32) {
    var labels = labels(of: mail)
    let place = labels.firstIndex { $0 >= label } ?? labels.endIndex
    if place < labels.endIndex, labels[place] == label { return }
    labels.insert(label, at: place)
    set(mail, labels)
  }

  mutating func remove(_ label: MailLabel, from mail: UInt32) {
    var labels = labels(of: mail)
    guard let place = labels.firstIndex(of: label) else { return }
    labels.remove(at: place)
    set(mail, labels)
  }

  /// - Parameter labels: in order, each once.
  mutating func set(_ mail: UInt32, _ labels: [MailLabel]) {
    let before = setOfMail[mail]
    setOfMail[mail] = labels.isEmpty ? nil : use(labels)
    for label in labels {
      if uses[label] == nil { nameBytes += label.text.utf8.count }
      uses[label, default: 0] += 1
    }
    if let before { letGo(before) }
  }

  private mutating func use(_ labels: [MailLabel]) -> UInt32 {
    if let known = numbers[labels] {
      sets[Int(known)].mails += 1
      return known
    }
    let number: UInt32
    if let unused = free.popLast() {
      number = unused
      sets[Int(number)] = Shared(labels: labels, mails: 1)
    } else {
      number = UInt32(sets.count)
      sets.append(Shared(labels: labels, mails: 1))
    }
    numbers[labels] = number
    labelsInSets += labels.count
    return number
  }

  private mutating func letGo(_ number: UInt32) {
    let labels = sets[Int(number)].labels
    for label in labels {
      let count = uses[label, default: 1] - 1
      uses[label] = count == 0 ? nil : count
      if count == 0 { nameBytes -= label.text.utf8.count }
    }
    sets[Int(number)].mails -= 1
    guard sets[Int(number)].mails == 0 else { return }
    numbers[labels] = nil
    labelsInSets -= labels.count
    sets[Int(number)] = Shared(labels: [])
    free.append(number)
  }

  /// About how many bytes of memory it takes.
  var memoryFootprint: Int {
    setOfMail.capacity * 8 * 4 / 3 + sets.count * 192 + labelsInSets * 16
      + uses.count * 128 + nameBytes
  }
}

extension MailLabels: Equatable {
  /// The numbers of sets hang on history.
  static func == (a: MailLabels, b: MailLabels) -> Bool {
    a.uses == b.uses && a.setOfMail.count == b.setOfMail.count
      && a.setOfMail.keys.allSatisfy { a.labels(of: $0) == b.labels(of: $0) }
  }
}
