// swift-tools-version: 6.2
import PackageDescription

/// Scripts/fuzz sets it: the fuzz targets need a build of their own, with sanitizers.
let isFuzzing = Context.environment["SWIPESTREAM_FUZZ"] == "1"

// Imports point one way: a target may depend only on targets listed above it.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// - Parameter golden: whether the tests have a folder of files that released versions wrote.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], golden: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: golden ? ["Golden"] : [],
    swiftSettings: swiftSettings)
}

/// A C library from a Debian package; `pkgConfig` only where its headers are not on the usual path.
func debian(_ name: String, _ package: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "swipestream",
  products: [
    .executable(name: "swipestream", targets: ["swipestream"]),
    .library(name: "SwipestreamClient", targets: ["SwipestreamClient"]),
    .library(name: "SwipestreamTesting", targets: ["SwipestreamTesting"]),
  ],
  targets: [
    // C libraries and shims, each with one Swift consumer.
    debian("CZeroMQ", "libzmq3-dev"),
    debian("CSQLite", "libsqlite3-dev"),
    debian("CGMime", "libgmime-3.0-dev", pkgConfig: "gmime-3.0"),
    debian("CCrypto", "libssl-dev"),
    .target(name: "CThreads"),
    .target(name: "CChecksum"),
    .target(
      name: "CSimdjson",
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),

    library("FastJSON", ["CSimdjson"]),
    library("Digests", ["CChecksum", "CCrypto"]),
    library("ActorRuntime", ["CThreads"]),
    library("ZeroMQSockets", ["CZeroMQ", "ActorRuntime"]),
    library("EventSourcing", ["ActorRuntime", "FastJSON", "Digests"]),
    library("Domain", ["EventSourcing", "FastJSON", "Digests"]),
    library("EventLog", ["EventSourcing", "ActorRuntime", "FastJSON", "Digests"]),
    library(
      "ReadModels",
      ["Domain", "EventSourcing", "ActorRuntime", "FastJSON", "Digests", "CSQLite"]),
    library("MailFiles", ["CGMime"]),
    library("MailSync", ["MailFiles", "FastJSON"]),
    library("Wire", ["EventSourcing", "FastJSON"]),
    library(
      "Messaging", ["Wire", "EventSourcing", "ActorRuntime", "ZeroMQSockets", "FastJSON"]),
    library(
      "SwipestreamClient", ["EventSourcing", "ActorRuntime", "ZeroMQSockets", "FastJSON"]),
    library("SwipestreamTesting", ["EventSourcing", "ActorRuntime", "EventLog", "FastJSON"]),
    .executableTarget(
      name: "swipestream",
      dependencies: [
        "Messaging", "ReadModels", "EventLog", "MailFiles", "MailSync", "SwipestreamClient", "Wire",
        "Domain", "EventSourcing", "ActorRuntime", "ZeroMQSockets", "FastJSON", "Digests",
      ],
      swiftSettings: swiftSettings),
    // The baselines that Scripts/bench compares the service with.
    .executableTarget(
      name: "bare-loop", dependencies: ["CChecksum"],
      linkerSettings: [.linkedLibrary("zmq"), .linkedLibrary("sqlite3")]),
    // Runs simulated histories of the log for Scripts/soak.
    .executableTarget(
      name: "log-soak", dependencies: ["SwipestreamTesting"], swiftSettings: swiftSettings),

    tests("DigestsTests", ["Digests"]),
    tests("FastJSONTests", ["FastJSON", "SwipestreamTesting"]),
    tests("ActorRuntimeTests", ["ActorRuntime"]),
    tests(
      "EventSourcingTests",
      ["Domain", "EventSourcing", "ActorRuntime", "FastJSON", "Digests", "SwipestreamTesting"],
      golden: true),
    tests(
      "MessagingTests",
      [
        "Messaging", "SwipestreamClient", "Wire", "Domain", "EventSourcing", "ActorRuntime",
        "FastJSON", "SwipestreamTesting",
      ]),
    tests(
      "DomainTests", ["Domain", "EventSourcing", "FastJSON", "Digests", "SwipestreamTesting"],
      golden: true),
    tests("MailFilesTests", ["MailFiles"]),
    tests("MailSyncTests", ["MailSync", "MailFiles", "SwipestreamTesting"]),
    tests(
      "EventLogTests",
      ["EventLog", "EventSourcing", "ActorRuntime", "FastJSON", "Digests", "SwipestreamTesting"],
      golden: true),
    tests(
      "ReadModelsTests",
      [
        "ReadModels", "Domain", "EventSourcing", "ActorRuntime", "FastJSON", "SwipestreamTesting",
      ], golden: true),
  ],
  cxxLanguageStandard: .cxx17
)

if isFuzzing {
  package.targets += [
    .systemLibrary(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "EventLog", "Domain", "Wire", "EventSourcing", "ActorRuntime", "FastJSON", "Digests",
        "CFuzzer",
      ],
      swiftSettings: swiftSettings),
  ]
}
