public import FastJSON

// For upcasters: each keeps the members' order, and leaves what is no object as it is.
extension JSON {
  /// The object with a member of another name, at the same place.
  public func renaming(_ key: String, to newKey: String) -> JSON {
    mapMembers { members in
      members.map { $0.key == key ? Member(newKey, $0.value) : $0 }
    }
  }

  /// The object with a member more, behind the others, or with another value for the one it has.
  public func setting(_ key: String, to value: JSON) -> JSON {
    mapMembers { members in
      guard members.contains(where: { $0.key == key }) else {
        return members + [Member(key, value)]
      }
      return members.map { $0.key == key ? Member(key, value) : $0 }
    }
  }

  /// The object without a member.
  public func removing(_ key: String) -> JSON {
    mapMembers { members in members.filter { $0.key != key } }
  }

  private func mapMembers(_ body: ([Member]) -> [Member]) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(body(members))
  }
}
