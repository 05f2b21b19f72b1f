package io.tidemark.daemon.inspect;

import io.tidemark.config.DurationText;
import io.tidemark.daemon.inspect.CheckpointInspection.Cooling;
import io.tidemark.daemon.inspect.CheckpointInspection.Entry;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.program.console.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Prints an inspection for people. */
public final class InspectionText {
  private InspectionText() {}

  /** Some lines, each with its line break. */
  public static String print(CheckpointInspection inspection) {
    StringBuilder out = new StringBuilder();
    file(out, inspection.file().toString(), inspection.current());
    file(out, "the file before the last write", inspection.previous());
    if (inspection.entries().stream().anyMatch(Entry::fromRuntime)) {
      out.append(
          "Entries of the container runtime are in it: phases 1 and 2 of the AWS VPC CNI.\n");
    }
    if (!inspection.entries().isEmpty()) {
      TextTable table = new TextTable("ADDRESS", "STATE", "POD", "SINCE");
      for (Entry each : inspection.entries()) {
        table.row(each.address(), state(each), pod(each.entry().metadata()), since(each));
      }
      out.append('\n').append(table.text());
    }
    if (!inspection.cooling().isEmpty()) {
      TextTable table = new TextTable("COOLING", "RELEASED", "LEFT");
      for (Cooling each : inspection.cooling()) {
        table.row(each.address(), time(each.releasedEpochNanos()), left(each.left()));
      }
      out.append('\n').append(table.text());
    }
    if (!inspection.beside().isEmpty()) {
      out.append("\nBeside it: ").append(String.join(" ", inspection.beside())).append('\n');
    }
    out.append("\nA start of ipamd:\n");
    inspection.restart().forEach(each -> out.append("  ").append(each).append('\n'));
    return out.toString();
  }

  private static void file(StringBuilder out, String name, FileContent content) {
    if (content instanceof FileContent.Absent) {
      out.append(name).append(": there is none\n");
    } else if (content instanceof FileContent.Unreadable unreadable) {
      out.append(name).append(": damaged. ").append(unreadable.problem().message()).append('\n');
    } else if (content instanceof FileContent.Whole readable) {
      out.append(name)
          .append(": ")
          .append(readable.bytes())
          .append(" bytes, ")
          .append(readable.data().allocations().size())
          .append(" assignments, ")
          .append(readable.checksummed() ? "checksum right" : "no checksum")
          .append(
              readable
                  .data()
                  .extension()
                  .map(InspectionText::writer)
                  .orElse(", written by another program"))
          .append('\n');
    }
  }

  private static String writer(Extension extension) {
    return ", generation " + extension.generation() + ", boot " + extension.bootId();
  }

  private static String state(Entry entry) {
    return entry.state().name().toLowerCase(Locale.ROOT);
  }

  private static String pod(IpamMetadata pod) {
    return pod.podName().isEmpty() ? "not known" : pod.podNamespace() + "/" + pod.podName();
  }

  private static String since(Entry entry) {
    long nanos = entry.entry().epochNanos();
    return nanos == 0 ? "not known" : time(nanos);
  }

  static String time(long epochNanos) {
    return Instant.EPOCH.plusNanos(epochNanos).toString();
  }

  private static String left(Duration left) {
    return left.isZero() ? "over" : DurationText.print(Duration.ofSeconds(left.toSeconds()));
  }
}
