package io.tidemark.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which start of the machine this is, and how long ago it was. */
final class BootId {
  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path UPTIME = Path.of("/proc/uptime");

  /** Seconds with a fraction, and how long the CPUs were idle. */
  private static final Pattern SECONDS = Pattern.compile("([0-9]{1,10})[. ].*", Pattern.DOTALL);

  private BootId() {}

  /** The system's id; empty where it has none. Blocks on the file system. */
  static String read() {
    try {
      return Files.readString(FILE).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * How long ago the machine started, rounded down; zero where the system does not say. Blocks on
   * the file system.
   */
  static Duration age() {
    try {
      Matcher uptime = SECONDS.matcher(Files.readString(UPTIME));
      return uptime.matches() ? Duration.ofSeconds(Long.parseLong(uptime.group(1))) : Duration.ZERO;
    } catch (IOException e) {
      return Duration.ZERO;
    }
  }
}
