package io.tidemark.it.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources that a process of this machine has used.
 *
 * @param residentBytes resident memory now; 0 where the system does not tell
 */
public record ProcessUse(Duration cpu, long residentBytes) {
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

  /** The resources that it has used until now. */
  public static ProcessUse of(ProcessHandle process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    Matcher resident = RESIDENT.matcher(Files.exists(status) ? Files.readString(status) : "");
    return new ProcessUse(
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        resident.find() ? Long.parseLong(resident.group(1)) * 1024 : 0);
  }

  /** Bytes of living objects in a JVM, after a full collection. */
  public static long liveHeapBytes(ProcessHandle process) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram")
            .start();
    String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher total = TOTAL.matcher(text);
    return total.find() ? Long.parseLong(total.group(1)) : 0;
  }
}
