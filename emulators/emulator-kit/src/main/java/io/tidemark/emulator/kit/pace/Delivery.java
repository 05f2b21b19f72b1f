package io.tidemark.emulator.kit.pace;

/** The fate of a response. */
public enum Delivery {
  SENT,
  /** The connection breaks. */
  LOST,
  /** It never arrives; the connection stays open. */
  NEVER
}
