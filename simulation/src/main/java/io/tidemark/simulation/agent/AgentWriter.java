package io.tidemark.simulation.agent;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.simulation.store.StoreLine;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * How one agent's process brings its object up to date: at most once per update rate, with bounded
 * attempts on the fresh object. It ends with the process. Used by the simulation's thread alone.
 */
final class AgentWriter {
  private static final int ATTEMPTS = 3;

  private final AgentWorld world;
  private final String node;
  private final AddressSource source;
  private final long updateRateNanos;
  private final VirtualProcess process;
  private final StoreLine line;
  private final Pages pages;
  private boolean ready;
  private boolean writing;
  private boolean scheduled;
  private boolean dirty;
  private long nextWriteNanos;

  /** What the agent knows and wants to say. */
  interface Pages {
    /** The newest version of its own object; empty when there is none. */
    Optional<NodeResource> newest();

    /** Takes in {@code base} and returns what the object shall be. */
    NodeResource wanted(NodeResource base);

    /** A write arrived; the object may be newer than what was sent. */
    void stored();
  }

  /** Of a process whose predecessor might have written until {@code earliestNanos}. */
  AgentWriter(
      AgentWorld world,
      String node,
      AddressSource source,
      long updateRateNanos,
      VirtualProcess process,
      StoreLine line,
      long earliestNanos,
      Pages pages) {
    this.world = world;
    this.node = node;
    this.source = source;
    this.updateRateNanos = updateRateNanos;
    this.process = process;
    this.line = line;
    this.nextWriteNanos = earliestNanos;
    this.pages = pages;
  }

  /** The object is known: from now on changes are written. */
  void begin() {
    ready = true;
  }

  /** Whether the object does not yet say all that the agent knows. */
  boolean hasUnwritten() {
    return dirty || writing;
  }

  /** Before this moment nothing more is written. */
  long nextWriteNanos() {
    return nextWriteNanos;
  }

  /** There is something to say. */
  void changed() {
    dirty = true;
    if (!scheduled && !writing && ready) {
      scheduled = true;
      process.at(nextWriteNanos, this::write);
    }
  }

  private void write() {
    scheduled = false;
    dirty = false;
    writing = true;
    nextWriteNanos = world.time().nanos() + updateRateNanos;
    attempt(1);
  }

  private void attempt(int number) {
    Optional<NodeResource> newest = pages.newest();
    if (newest.isEmpty()) {
      written();
      return;
    }
    NodeResource base = newest.get();
    NodeResource changed = pages.wanted(base);
    boolean spec = source.writesSpec();
    if (spec ? base.sameSpec(changed) : base.sameStatus(changed)) {
      written();
      return;
    }
    request(
        spec ? "update" : "updateStatus",
        () -> spec ? line.update(base, changed) : line.updateStatus(base, changed),
        result ->
            result.ifPresentOrElse(
                answer ->
                    answer.match(
                        stored -> {
                          written();
                          pages.stored();
                          return true;
                        },
                        () -> {
                          written();
                          return true;
                        },
                        () -> again(number),
                        () -> again(ATTEMPTS),
                        refused -> again(ATTEMPTS),
                        failed -> again(ATTEMPTS)),
                () -> again(ATTEMPTS)));
  }

  private boolean again(int number) {
    if (number >= ATTEMPTS) {
      written();
      changed();
      return false;
    }
    request(
        "get",
        () -> line.get(node),
        result -> result.ifPresentOrElse(answer -> attempt(number + 1), () -> again(ATTEMPTS)));
    return false;
  }

  private void written() {
    writing = false;
    if (dirty) {
      changed();
    }
  }

  private void request(
      String operation, Callable<StoreResult> leaf, Consumer<Optional<StoreResult>> then) {
    line.effects()
        .run(new EffectSite("agent " + operation, node), world.requestTimeout(), leaf)
        .stage()
        .whenComplete((result, thrown) -> then.accept(Optional.ofNullable(result)));
  }
}
