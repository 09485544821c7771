internal import EventSourcing

/// Opening, replacing and giving up the views' files.
extension Projector {
  func openAtStart(_ view: ViewDefinition) -> ActiveView {
    let newest = directory.names()
      .compactMap { ViewFile(name: $0, view: view.name, version: view.version) }
      .max { $0.generation < $1.generation }
    let file = newest ?? ViewFile(view: view.name, version: view.version, generation: 0)
    directory.removeLeftovers(of: view.name, except: file)
    var opened = ActiveView(
      view: view, file: file, lastGeneration: file.generation, writer: nil)
    open(&opened)
    return opened
  }

  /// Opens the view's file, or the next generation in its place where it is no good.
  private func open(_ current: inout ActiveView) {
    do throws(ReadModelError) {
      try directory.create()
      do throws(ReadModelError) {
        current.writer = try openChecked(current)
      } catch {
        guard error.isDamage else { throw error }
        let broken = current.file
        try openFresh(&current)
        directory.remove(broken)
      }
      announce(current, failure: nil)
    } catch {
      announce(current, failure: error.description)
    }
  }

  private func openChecked(_ current: ActiveView) throws(ReadModelError) -> any ViewWriter {
    let size = directory.size(of: current.file)
    if size > Self.bytesCheckedAtStart {
      checkInBackground(current.file)
    } else if size > 0, !ViewStore.isSound(path: directory.path(of: current.file)) {
      throw .unusable("its pages are damaged")
    }
    return try current.view.openWriter(directory.path(of: current.file), .serving, store)
  }

  private func openFresh(_ current: inout ActiveView) throws(ReadModelError) {
    current.lastGeneration += 1
    let file = ViewFile(
      view: current.view.name, version: current.view.version, generation: current.lastGeneration)
    directory.remove(file)
    current.writer = try current.view.openWriter(directory.path(of: file), .serving, store)
    current.file = file
  }

  private func announce(_ current: ActiveView, failure: String?) {
    let (position, parked) = (current.writer?.position, current.writer?.parkedCount)
    board.update(current.view.name) { entry in
      entry.file = position == nil ? nil : current.file
      entry.position = position ?? .start
      entry.parked = parked ?? 0
      entry.failure = failure
      entry.damaged = nil
      entry.isLive = false
    }
  }

  private func checkInBackground(_ file: ViewFile) {
    guard gate.enter() else { return }
    Task {
      if await !rebuilder.isSound(file) {
        board.update(file.view) { $0.damaged = file.generation }
        wake()
      }
      gate.leave()
    }
  }

  /// Opens what could not be opened last time, and replaces what a query found damaged.
  func repairFiles() {
    for index in active.indices {
      if board.entry(active[index].view.name)?.damaged == active[index].file.generation {
        replace(index)
      } else if active[index].writer == nil {
        open(&active[index])
      }
    }
  }

  /// What to do about a file that could not be written.
  func handle(_ error: ReadModelError, of index: Int) {
    if error.isDamage { return replace(index) }
    // It is opened anew at the next try: the connection may be what is broken.
    active[index].writer?.close()
    active[index].writer = nil
    fail(index, because: error.description)
  }

  /// Begins again from nothing in a new file.
  private func replace(_ index: Int) {
    let broken = active[index].file
    active[index].writer?.close()
    active[index].writer = nil
    do throws(ReadModelError) {
      try openFresh(&active[index])
      directory.remove(broken)
      announce(active[index], failure: nil)
    } catch {
      announce(active[index], failure: error.description)
    }
  }
}
