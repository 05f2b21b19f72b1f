package io.tidemark.datastore.checkpoint;

/** The bytes are no checkpoint that this program can read; the message says where and why. */
public final class UnreadableCheckpoint extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Kind {
    /** The content is damaged, or never was a checkpoint. */
    CORRUPT,
    /** It is a checkpoint of another version. */
    VERSION
  }

  private final Kind kind;

  UnreadableCheckpoint(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }
}
