/// Several orders of numbers from 1 on, each number in at most one of them: linked lists, plus a
/// label per number that tells in one comparison which of two comes first.
///
/// A number's slot in the arrays is the number; 0 is "none". Insertion costs O(log n) amortised
/// (Bender, Cole, Demaine, Farach-Colton, Zito: "Two simplified algorithms for maintaining order
/// in a list", 2002), everything else O(1).
struct OrderChain: Sendable {
  private var previous: [UInt32] = [0]
  private var next: [UInt32] = [0]
  private var labels: [Int64] = [0]
  /// By lane.
  private var firsts: [UInt32] = []
  private var lasts: [UInt32] = []

  /// Room for half a lifetime of new mail at the top before labels run out at that end.
  private static let spacing: Int64 = 1 << 32

  init(lanes: Int) {
    firsts = [UInt32](repeating: 0, count: lanes)
    lasts = firsts
  }

  /// Orders of the numbers up to `count`, each in at most one of them, first to last by lane.
  ///
  /// - Precondition: all numbers are from 1 to `count`, none twice.
  init(count: Int, lanes: [[UInt32]]) {
    previous = [UInt32](repeating: 0, count: count + 1)
    next = previous
    labels = [Int64](repeating: 0, count: count + 1)
    firsts = lanes.map { $0.first ?? 0 }
    lasts = lanes.map { $0.last ?? 0 }
    for lane in lanes {
      // Around 0, with room for more at both ends.
      let step = min(Self.spacing, (1 << 62) / Int64(max(lane.count, 1)))
      var label = -step * Int64(lane.count / 2)
      var before: UInt32 = 0
      for number in lane {
        previous[Int(number)] = before
        next[Int(before)] = number
        labels[Int(number)] = label
        label += step
        before = number
      }
    }
    next[0] = 0
  }

  /// How many bytes of memory it takes.
  var memoryFootprint: Int {
    (previous.capacity + next.capacity) * 4 + labels.capacity * 8
      + (firsts.capacity + lasts.capacity) * 4
  }

  /// A new order behind the others; lanes are numbered from 0.
  mutating func addLane() {
    firsts.append(0)
    lasts.append(0)
  }

  /// Makes a slot for the next number, in no order yet.
  mutating func addSlot() {
    previous.append(0)
    next.append(0)
    labels.append(0)
  }

  func first(in lane: Int) -> UInt32 { firsts[lane] }
  func last(in lane: Int) -> UInt32 { lasts[lane] }
  func number(before number: UInt32) -> UInt32 { previous[Int(number)] }
  func number(after number: UInt32) -> UInt32 { next[Int(number)] }

  /// Whether `a` comes before `b`, two numbers of one lane.
  func precedes(_ a: UInt32, _ b: UInt32) -> Bool { labels[Int(a)] < labels[Int(b)] }

  /// Puts `number`, which is in no order, directly behind `anchor`, or first for 0.
  mutating func insert(_ number: UInt32, after anchor: UInt32, in lane: Int) {
    let follower = anchor == 0 ? firsts[lane] : next[Int(anchor)]
    previous[Int(number)] = anchor
    next[Int(number)] = follower
    if anchor == 0 { firsts[lane] = number } else { next[Int(anchor)] = number }
    if follower == 0 { lasts[lane] = number } else { previous[Int(follower)] = number }
    label(number, between: anchor, and: follower)
  }

  /// Takes `number` out of its lane.
  mutating func remove(_ number: UInt32, from lane: Int) {
    let before = previous[Int(number)]
    let behind = next[Int(number)]
    if before == 0 { firsts[lane] = behind } else { next[Int(before)] = behind }
    if behind == 0 { lasts[lane] = before } else { previous[Int(behind)] = before }
    previous[Int(number)] = 0
    next[Int(number)] = 0
  }

  private mutating func label(_ number: UInt32, between anchor: UInt32, and follower: UInt32) {
    let slot = Int(number)
    if anchor == 0, follower == 0 {
      labels[slot] = 0
    } else if anchor == 0 {
      let bound = labels[Int(follower)]
      labels[slot] = bound - (bound > .min + Self.spacing ? Self.spacing : 0)
      if labels[slot] == bound { spread(around: number) }
    } else if follower == 0 {
      let bound = labels[Int(anchor)]
      labels[slot] = bound + (bound < .max - Self.spacing ? Self.spacing : 0)
      if labels[slot] == bound { spread(around: number) }
    } else {
      let lower = labels[Int(anchor)]
      // The difference of any two labels fits 64 bits without a sign.
      let gap = UInt64(bitPattern: labels[Int(follower)] &- lower)
      labels[slot] = lower + Int64(gap / 2)
      if gap < 2 { spread(around: number) }
    }
  }

  /// Gives new labels to the numbers around `number`, whose own equals a neighbour's: the smallest
  /// range of labels that is sparse enough is dealt out evenly.
  private mutating func spread(around number: UInt32) {
    let center = labels[Int(number)]
    var left = number
    var right = number
    var count = 1
    var capacity = 1.0
    for exponent in 1...62 {
      // Denser for wider ranges, so that a range once spread stays sparse for a while.
      capacity *= 2 / 1.3
      let lower = center & (-1 << Int64(exponent))
      let upper = lower + ((1 << Int64(exponent)) - 1)
      while case let before = previous[Int(left)], before != 0, labels[Int(before)] >= lower {
        left = before
        count += 1
      }
      while case let behind = next[Int(right)], behind != 0, labels[Int(behind)] <= upper {
        right = behind
        count += 1
      }
      if Double(count) < capacity || exponent == 62 {
        deal(from: left, count: count, lower: lower, step: (1 << Int64(exponent)) / Int64(count))
        return
      }
    }
  }

  private mutating func deal(from first: UInt32, count: Int, lower: Int64, step: Int64) {
    var number = first
    for index in 0..<Int64(count) {
      labels[Int(number)] = lower + index * step
      number = next[Int(number)]
    }
  }
}

extension OrderChain: Equatable {
  /// Labels are left out: they are a means to compare places, and hang on history.
  static func == (a: OrderChain, b: OrderChain) -> Bool {
    a.firsts == b.firsts && a.lasts == b.lasts && a.previous == b.previous && a.next == b.next
  }
}
