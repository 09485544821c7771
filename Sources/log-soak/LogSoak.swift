import Glibc
import SwipestreamTesting

/// Runs simulated histories of the log, one a seed, and adds up what happened.
@main
enum LogSoak {
  static func main() {
    guard let seeds = seeds(CommandLine.arguments.dropFirst()) else {
      let usage = "usage: log-soak FIRST LAST\n"
      _ = write(STDERR_FILENO, usage, usage.utf8.count)
      exit(2)
    }
    var totals = SimulationTotals()
    var failures: [SimulationFailure] = []
    for seed in seeds {
      do throws(SimulationFailure) {
        totals += try LogSimulation.run(seed: seed, stepLimit: seeds.count == 1 ? .max : 40)
      } catch {
        failures.append(error)
        print("FAILED \(error)")
      }
    }
    print(report(totals, failures))
    exit(failures.isEmpty ? 0 : 1)
  }

  private static func seeds(_ arguments: ArraySlice<String>) -> ClosedRange<UInt64>? {
    let numbers = arguments.compactMap { UInt64($0) }
    guard arguments.count == 2, numbers.count == 2, numbers[0] <= numbers[1] else { return nil }
    return numbers[0]...numbers[1]
  }

  private static func report(
    _ totals: SimulationTotals, _ failures: [SimulationFailure]
  ) -> String {
    let rows: [(String, Int)] = [
      ("seeds", totals.seeds + failures.count), ("failed", failures.count),
      ("batches acknowledged", totals.acknowledged), ("found at the end", totals.found),
      ("lost", failures.count { $0.kind == .lost }),
      ("half-visible", failures.count { $0.kind == .halfVisible }),
      ("refused", totals.refused), ("in doubt, there whole", totals.inDoubtKept),
      ("in doubt, not there", totals.inDoubtGone), ("power cuts", totals.powerCuts),
      ("kills", totals.kills), ("of these in a start", totals.stopsInRecovery),
      ("faults injected", totals.faults), ("full disks", totals.fullDisks),
      ("bits flipped", totals.flips), ("flips named", totals.flipsNamed),
      ("batches on lying disks", totals.onLyingDisks),
      ("lying disks found out", totals.liesNamed), ("ends lost by lies", totals.liesUnnoticed),
    ]
    return rows.map { name, count in
      name + String(repeating: " ", count: 24 - name.utf8.count) + "\(count)"
    }.joined(separator: "\n")
  }
}
