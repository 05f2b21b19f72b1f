package io.tidemark.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which start of the machine this is. */
final class BootId {
  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private BootId() {}

  /** The system's id; empty where it has none. Blocks on the file system. */
  static String read() {
    try {
      return Files.readString(FILE).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
