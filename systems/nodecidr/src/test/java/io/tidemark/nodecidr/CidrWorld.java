package io.tidemark.nodecidr;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.error.ErrorCode;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster with one controller in virtual time, and what it reported. */
public abstract class CidrWorld implements ObjectEvents {
  public static final String MANAGER = "tidemark-operator";

  public final VirtualTime time =
      new VirtualTime(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

  /** The reported events, such as {@code open n1 CIDR_EXHAUSTED} and {@code solved n1 …}. */
  public final List<String> events = new ArrayList<>();

  /** Requests that reached the server, such as {@code ASSIGN n1}. */
  public final List<String> requests = new ArrayList<>();

  /** The CIDRs of a node on the server, with spaces between them. */
  public abstract String cidrsOf(String name);

  protected abstract CidrNodeReport reportOf(String name);

  public final List<String> cidrsOf(String... names) {
    return Stream.of(names).map(this::cidrsOf).toList();
  }

  /** State and codes of a node, such as {@code PARKED CIDR_EXHAUSTED}. */
  public final String stateOf(String name) {
    CidrNodeReport report = reportOf(name);
    Stream<String> codes = report.matters().stream().map(each -> each.code().name());
    return Stream.concat(Stream.of(report.state().name()), codes)
        .distinct()
        .collect(Collectors.joining(" "));
  }

  public final List<String> stateOf(String... names) {
    return Stream.of(names).map(this::stateOf).toList();
  }

  /** Lets half a second pass. */
  public final void settle() {
    pass(Duration.ofMillis(500));
  }

  public final void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  public final void pass(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }

  @Override
  public final void report(String object, ErrorCode code, String detail) {
    events.add("open " + object + " " + code.name());
  }

  @Override
  public final void cleared(String object, ErrorCode code) {
    events.add("solved " + object + " " + code.name());
  }
}
