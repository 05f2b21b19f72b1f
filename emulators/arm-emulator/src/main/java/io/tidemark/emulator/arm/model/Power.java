package io.tidemark.emulator.arm.model;

import java.util.Locale;

/** Whether a machine runs. */
public enum Power {
  RUNNING,
  STOPPED,
  DEALLOCATING,
  DEALLOCATED;

  /** As an instance view shows it. */
  String code() {
    return "PowerState/" + name().toLowerCase(Locale.ROOT);
  }
}
