/// How a section asks to be shown. Views may honour it; what is nil is left to them.
public struct SectionStyle: Sendable, Equatable {
  public enum Alignment: String, Sendable, CaseIterable {
    case left
    case center
    case right
    /// As the language of the text asks for.
    case natural
  }

  /// Of the text.
  public var alignment: Alignment?
  /// Of the text: 100 (thin) to 900 (black); 400 is regular.
  public var weight: Int?
  /// Of the text, in points.
  public var size: Double?
  /// In points.
  public var headerHeight: Double?

  public init(
    alignment: Alignment? = nil, weight: Int? = nil, size: Double? = nil,
    headerHeight: Double? = nil
  ) {
    self.alignment = alignment
    self.weight = weight
    self.size = size
    self.headerHeight = headerHeight
  }

  /// Whether it asks for nothing.
  public var isEmpty: Bool { self == SectionStyle() }
}

/// What a command sets of a style. What is nil stays; what is a nil within goes.
public struct SectionStyleChange: Sendable, Equatable {
  public var alignment: SectionStyle.Alignment??
  public var weight: Int??
  public var size: Double??
  public var headerHeight: Double??

  public init(
    alignment: SectionStyle.Alignment?? = nil, weight: Int?? = nil, size: Double?? = nil,
    headerHeight: Double?? = nil
  ) {
    self.alignment = alignment
    self.weight = weight
    self.size = size
    self.headerHeight = headerHeight
  }

  /// Takes all away.
  public static let reset = SectionStyleChange(
    alignment: .some(nil), weight: .some(nil), size: .some(nil), headerHeight: .some(nil))

  func applied(to style: SectionStyle) -> SectionStyle {
    SectionStyle(
      alignment: alignment ?? style.alignment, weight: weight ?? style.weight,
      size: size ?? style.size, headerHeight: headerHeight ?? style.headerHeight)
  }
}
