package io.tidemark.datastore.checkpoint;

/** The bytes are no checkpoint that this program can read; the message says where and why. */
public final class UnreadableCheckpoint extends Exception {
  private static final long serialVersionUID = 1L;

  /** The kind of damage. */
  public enum Kind {
    /** The content is damaged, or never was a checkpoint. */
    CORRUPT,
    /** It is a checkpoint of another version. */
    VERSION
  }

  private final Kind kind;
  private final String position;

  /** Of the file as a whole. */
  public UnreadableCheckpoint(Kind kind, String message) {
    super(message);
    this.kind = kind;
    this.position = "";
  }

  /**
   * At a place in the file.
   *
   * @param position such as {@code line 1, column 7}
   */
  public UnreadableCheckpoint(Kind kind, String position, String message) {
    super(position + ": " + message);
    this.kind = kind;
    this.position = position;
  }

  /** Where it is wrong, which the message says as well; empty when it is the file as a whole. */
  public String position() {
    return position;
  }

  /** The kind of damage. */
  public Kind kind() {
    return kind;
  }
}
