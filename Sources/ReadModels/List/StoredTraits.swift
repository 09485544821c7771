internal import Domain
internal import FastJSON

extension SectionTraits {
  /// All five in one integer.
  var bits: Int {
    [canAdd, canComplete, canDelete, canReorder, acceptsMoves].enumerated()
      .reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
  }

  init(bits: Int) {
    self.init(
      canAdd: bits & 1 != 0, canComplete: bits & 2 != 0, canDelete: bits & 4 != 0,
      canReorder: bits & 8 != 0, acceptsMoves: bits & 16 != 0)
  }

  /// Writes the traits as a view shows them.
  func writeView(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("canAdd")
    writer.value(canAdd)
    writer.key("canComplete")
    writer.value(canComplete)
    writer.key("canDelete")
    writer.value(canDelete)
    writer.key("canReorder")
    writer.value(canReorder)
    writer.key("acceptsMoves")
    writer.value(acceptsMoves)
    writer.endObject()
  }
}
