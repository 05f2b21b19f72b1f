package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One API server that keeps one lease, and operators that want it, all in virtual time. Tests tell
 * of them in words, such as "one contends; 1s; away; 10s; one waits".
 */
final class LeaseWorld {
  static final LeaseTiming TIMING = LeaseTiming.USUAL;

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final List<Contender> contenders = new ArrayList<>();
  private @Nullable LeaseRecord stored;
  private long version;

  /** Requests fail with {@link #outage} while this is set. */
  boolean serverAway;

  RuntimeException outage = new IllegalStateException("the API server is away");

  /** Requests that arrived until now, those that failed included. */
  int requests;

  /** An operator: a process with clocks of its own. */
  final class Contender {
    final VirtualProcess process;
    final LeaderLease lease;
    final List<String> lost = new ArrayList<>();
    Map<String, String> notes = Map.of();
    @Nullable Map<String, String> inherited;

    /** The ends of its publications. */
    final List<Boolean> published = new ArrayList<>();

    private CompletableFuture<?> released = new CompletableFuture<>();

    Contender(String name, EffectModel model) {
      process = time.process(name);
      lease =
          new LeaderLease(
              new Port(process), name, TIMING, process, process.effects(model), () -> notes);
      lease.won().thenAccept(left -> inherited = left);
      lease.lost().thenAccept(lost::add);
    }

    boolean leads() {
      return process.isAlive() && lease.isOpen();
    }
  }

  Contender contender(String name) {
    return contender(
        name, (site, at) -> EffectFate.answered(Duration.ofMillis(5), Duration.ofMillis(5)));
  }

  Contender contender(String name, EffectModel model) {
    Contender made = new Contender(name, model);
    contenders.add(made);
    made.lease.start();
    return made;
  }

  void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  /** How long until {@code contender} leads. */
  Duration untilLeads(Contender contender) {
    long from = time.nanos();
    while (!contender.leads()) {
      if (time.nanos() - from > Duration.ofMinutes(5).toNanos() || !time.step()) {
        throw new AssertionError(contender.process.name() + " does not lead");
      }
    }
    return Duration.ofNanos(time.nanos() - from);
  }

  LeaseRecord stored() {
    if (stored == null) {
      throw new AssertionError("there is no lease");
    }
    return stored;
  }

  void delete() {
    stored = null;
  }

  /** The API server's behaviour: writes on an old version are refused. */
  private final class Port implements LeasePort {
    private final VirtualProcess process;

    Port(VirtualProcess process) {
      this.process = process;
    }

    @Override
    public String server() {
      return "https://api.example";
    }

    @Override
    public Optional<LeaseRecord> read() {
      check();
      return Optional.ofNullable(stored);
    }

    @Override
    public Optional<LeaseRecord> create(Claim claim) {
      check();
      return stored == null ? Optional.of(store(claim)) : Optional.empty();
    }

    @Override
    public Optional<LeaseRecord> write(String written, Claim claim) {
      check();
      return stored != null && stored.version().equals(written)
          ? Optional.of(store(claim))
          : Optional.empty();
    }

    private void check() {
      requests++;
      if (serverAway) {
        throw outage;
      }
    }

    private LeaseRecord store(Claim claim) {
      stored =
          new LeaseRecord(
              "lease-1",
              Long.toString(++version),
              claim.holder(),
              claim.holder().isEmpty() ? Duration.ofSeconds(1) : claim.timing().lease(),
              Long.toString(process.clock().epochMillis()),
              claim.transitions(),
              Optional.of(Instant.ofEpochMilli(time.time().epochMillis())),
              stored == null ? claim.notes() : stored.notesAfter(claim.notes()));
      return stored;
    }
  }

  void tell(String story) {
    for (String step : story.split("; +", -1)) {
      String[] words = step.split(" ", 3);
      if (step.matches("\\d+(ms|s|m|h)")) {
        run(duration(step));
      } else if (step.endsWith(" contends")) {
        contender(words[0]);
      } else if (!serves(words)) {
        Contender one =
            contenders.stream()
                .filter(each -> each.process.name().equals(words[0]))
                .findFirst()
                .orElseThrow();
        acts(step, one, words[1], words.length > 2 ? words[2] : "");
      }
    }
  }

  private static Duration duration(String text) {
    return text.endsWith("ms")
        ? Duration.ofMillis(Long.parseLong(text.replace("ms", "")))
        : Duration.parse("PT" + text);
  }

  /** Such as "a=1 b=2". */
  private static Map<String, String> notes(String text) {
    return Stream.of(text.split(" ", -1))
        .map(each -> each.split("=", -1))
        .collect(Collectors.toMap(each -> each[0], each -> each[1]));
  }

  /** The API server. */
  private boolean serves(String... words) {
    String rest = String.join(" ", words).replaceFirst("\\w+ ?", "");
    switch (words[0]) {
      case "away" -> serverAway = true;
      case "back" -> serverAway = false;
      case "deleted" -> delete();
      case "transitions" -> assertThat(stored().transitions()).hasToString(rest);
      case "version" -> assertThat(stored().version()).isEqualTo(rest);
      case "stored" -> assertThat(stored().notes()).isEqualTo(notes(rest));
      case "requests" -> assertThat(requests).hasToString(rest);
      case "timers" -> assertThat(time.pending()).hasToString(rest);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void acts(String step, Contender one, String verb, String rest) {
    switch (verb) {
      case "leads" -> assertThat(one.leads()).as(step).isTrue();
      case "waits" -> assertThat(one.leads()).as(step).isFalse();
      case "wins" -> assertThat(untilLeads(one)).as(step).isLessThan(duration(rest));
      case "sees" -> assertThat(one.lease.holder().orElse("nobody")).isEqualTo(rest);
      case "knows" -> assertThat(one.lease.uid().orElse("none")).isEqualTo(rest);
      case "clock" -> one.process.clock().step(duration(rest));
      case "notes" -> one.notes = notes(rest);
      case "inherits" -> assertThat(one.inherited).isEqualTo(notes(rest));
      case "publishes" -> one.lease.publish().thenAccept(one.published::add);
      case "published" -> assertThat(one.published).as(step).hasToString("[" + rest + "]");
      case "releases" -> one.released = one.lease.release().toCompletableFuture();
      case "released" -> assertThat(one.released).as(step).isCompleted();
      case "releasing" -> assertThat(one.released).as(step).isNotDone();
      case "undecided" -> assertThat(one.lease.notWonAtOnce().toCompletableFuture()).isNotDone();
      case "beaten" -> assertThat(one.lease.notWonAtOnce().toCompletableFuture()).isCompleted();
      case "kept" -> assertThat(one.lost).as(step).isEmpty();
      case "lost" -> assertThat(one.lost).singleElement().asString().contains(rest);
      case "troubled" -> assertThat(one.lease.trouble()).contains(rest);
      case "untroubled" -> assertThat(one.lease.trouble()).isEmpty();
      default -> throw new IllegalArgumentException(step);
    }
  }
}
