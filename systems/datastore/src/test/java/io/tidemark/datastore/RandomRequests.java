package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.StoreModel.Freed;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests of sandboxes that overlap, share writes, and meet writes that fail, take long or end the
 * program. The model follows the answers in the order in which they come.
 */
final class RandomRequests {
  private static final List<Fault> CRASHES =
      List.of(Fault.CRASH_BEFORE, Fault.CRASH_INSIDE, Fault.CRASH_AFTER);

  private static final int PODS = 6;

  /** No request waits longer, for a few writes of the longest kind. */
  private static final Duration ANSWERED = Duration.ofMinutes(2);

  private final TestStore node;
  private final StoreModel model;
  private final IpFamily family;
  private final List<String> log;
  private final List<Runnable> answers = new ArrayList<>();

  /** Those that are not answered; of a sandbox one kind at a time. */
  final Map<String, Request> open = new TreeMap<>();

  /** Sandboxes whose request a write failed: until the next one the file may have it. */
  final Set<String> perhapsAssigned = new HashSet<>();

  /** And how their release began. */
  final Map<String, Freed> perhapsReleased = new HashMap<>();

  private int made;
  private long endedNanos;
  private int endedNumber;
  private boolean endedWell;

  int grants;
  int failures;

  /**
   * A request that is not answered.
   *
   * @param choice the addresses of which it may get one
   * @param served whether it must get one
   */
  record Request(
      int number,
      boolean assign,
      Freed began,
      Optional<IpAddress> had,
      Set<IpAddress> choice,
      boolean served,
      CompletableFuture<?> end) {}

  RandomRequests(TestStore node, StoreModel model, IpFamily family, List<String> log) {
    this.node = node;
    this.model = model;
    this.family = family;
    this.log = log;
  }

  static String pod(Random random) {
    return "pod-" + random.nextInt(PODS);
  }

  Freed now() {
    return new Freed(node.time.nanos(), node.time.nanos(), node.time.epochMillis());
  }

  /**
   * Makes one to six requests.
   *
   * @throws io.tidemark.file.CrashingFiles.Crash when the program ends
   */
  void make(Random random) {
    boolean crash = random.nextInt(8) == 0;
    if (crash || random.nextInt(4) == 0) {
      int at = node.files.changes().size() + random.nextInt(10);
      Fault fault = crash ? CRASHES.get(random.nextInt(3)) : Fault.FAILS;
      log.add(fault + " at change " + (at - node.files.changes().size()));
      node.files.fault(at, fault, random.nextInt(400));
    }
    if (random.nextInt(3) == 0) {
      node.slow(new Random(random.nextLong()));
    }
    int requests = 1 + random.nextInt(6);
    for (int i = 0; i < requests; i++) {
      request(random, pod(random));
      if (random.nextInt(3) == 0) {
        pass(Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 5_000 : 12)));
      }
    }
  }

  /** Waits until all are answered. */
  void finish() {
    pass(Duration.ofMillis(100));
    for (int i = 0; i < 100 && !open.isEmpty(); i++) {
      pass(ANSWERED.dividedBy(100));
    }
    assertThat(open.keySet()).as("DI6 requests without an answer").isEmpty();
    node.files.restart();
    node.slow(null);
  }

  /** All sandboxes end. */
  void releaseAll() {
    for (int i = 0; i < PODS; i++) {
      String pod = "pod-" + i;
      if (node.releasing(pod) instanceof StoreReleaseOutcome.Released ended) {
        ended.assignments().forEach(it -> model.release(it.address(), now()));
      } else {
        model.releaseOrphans(pod, now());
      }
    }
  }

  /** The addresses that {@code count} new sandboxes get. */
  List<IpAddress> grants(int count) {
    List<IpAddress> given = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      IpamKey key = TestStore.key("new-" + i);
      if (node.ended(node.store.assign(key, TestStore.POD, family))
          instanceof AssignOutcome.Granted granted) {
        given.add(granted.assignment().address());
      }
    }
    return given;
  }

  private void pass(Duration duration) {
    node.pass(duration);
    take();
  }

  /** Takes the answers that have come. */
  void take() {
    answers.forEach(Runnable::run);
    answers.clear();
  }

  // ---- one request

  private void request(Random random, String pod) {
    boolean assign = random.nextInt(5) < 3;
    Request first = open.get(pod);
    if (first != null) {
      if (first.assign() || first.had().isPresent()) {
        repeat(pod, first);
      }
      return;
    }
    boolean alone = open.isEmpty();
    long now = node.time.nanos();
    Request request =
        new Request(
            made++,
            assign,
            now(),
            Optional.ofNullable(model.of(pod)),
            model.choice(now, alone),
            alone && model.mustServe(now),
            send(pod, assign));
    log.add((assign ? "assign " : "release ") + pod);
    open.put(pod, request);
    listen(request.end(), (outcome, nanos) -> answered(pod, request, outcome, nanos));
    take();
  }

  private void repeat(String pod, Request first) {
    log.add("again " + pod);
    listen(
        send(pod, first.assign()),
        (outcome, nanos) ->
            assertThat(outcome)
                .as("DI5 the repeated request of %s", pod)
                .isEqualTo(first.end().getNow(null)));
    take();
  }

  private CompletableFuture<?> send(String pod, boolean assign) {
    IpamKey key = TestStore.key(pod);
    return (assign ? node.store.assign(key, TestStore.POD, family) : node.store.release(key))
        .toCompletableFuture();
  }

  private interface Answer {
    void of(@Nullable Object outcome, long nanos);
  }

  private void listen(CompletableFuture<?> end, Answer answer) {
    end.thenAccept(
        outcome -> {
          long nanos = node.time.nanos();
          answers.add(() -> answer.of(outcome, nanos));
        });
  }

  private void answered(String pod, Request request, @Nullable Object outcome, long nanos) {
    open.remove(pod);
    log.add(pod + ": " + text(outcome));
    order(request, outcome, nanos);
    if (request.assign()) {
      assigned(pod, request, outcome);
    } else {
      released(pod, request, outcome, nanos);
    }
  }

  /** Those of one write are answered in their order, or taken back in reverse order. */
  private void order(Request request, @Nullable Object outcome, long nanos) {
    boolean failed =
        outcome instanceof AssignOutcome.Refused || outcome instanceof StoreReleaseOutcome.Refused;
    boolean written =
        failed
            || outcome instanceof StoreReleaseOutcome.Released
            || (outcome instanceof AssignOutcome.Granted && request.had().isEmpty());
    if (!written) {
      return;
    }
    if (nanos == endedNanos && failed != endedWell) {
      assertThat(request.number() > endedNumber).as("DI4 the order of answers").isEqualTo(!failed);
    }
    endedNanos = nanos;
    endedNumber = request.number();
    endedWell = !failed;
  }

  private static String text(@Nullable Object outcome) {
    if (outcome instanceof AssignOutcome.Granted granted) {
      return granted.assignment().address()
          + granted.cutShortAfter().map(age -> " after " + age).orElse("");
    }
    if (outcome instanceof StoreReleaseOutcome.Released released) {
      return released.assignments().stream()
          .map(each -> each.address().toString())
          .collect(Collectors.joining(" ", "had ", ""));
    }
    return outcome == null ? "nothing" : outcome.getClass().getSimpleName();
  }

  private void assigned(String pod, Request request, @Nullable Object outcome) {
    if (outcome instanceof AssignOutcome.Granted granted) {
      IpAddress ip = granted.assignment().address();
      grants++;
      if (request.had().isPresent()) {
        assertThat(request.had()).as("DI5 %s asks again", pod).contains(ip);
        return;
      }
      assertThat(model.assigned).as("DI1 %s for %s has nobody", ip, pod).doesNotContainKey(ip);
      assertThat(request.choice()).as("DI7 what %s may get", pod).contains(ip);
      if (model.isFree(ip, request.began().nanos())) {
        assertThat(granted.cutShortAfter()).as("%s did not cool", ip).isEmpty();
      }
      model.cutShort += granted.cutShortAfter().isPresent() ? 1 : 0;
      model.assign(pod, ip);
      written();
    } else if (outcome instanceof AssignOutcome.NoAddress) {
      assertThat(request.had()).as("DI5 %s asks again", pod).isEmpty();
      assertThat(request.served()).as("DI11 there is one for %s", pod).isFalse();
      model.noAddress++;
    } else {
      assertThat(outcome).as("%s", pod).isInstanceOf(AssignOutcome.Refused.class);
      perhapsAssigned.add(pod);
      failures++;
    }
  }

  private void released(String pod, Request request, @Nullable Object outcome, long nanos) {
    if (outcome instanceof StoreReleaseOutcome.Released ended) {
      assertThat(ended.assignments().stream().map(Assignment::address))
          .as("DI5 what %s had", pod)
          .containsExactlyElementsOf(request.had().stream().toList());
      Freed began = request.began();
      model.release(
          request.had().orElseThrow(), new Freed(nanos, began.noted(), began.notedEpochMillis()));
      written();
    } else if (outcome instanceof StoreReleaseOutcome.Unknown) {
      assertThat(request.had()).as("DI5 %s has none", pod).isEmpty();
      model.releaseOrphans(pod, request.began());
    } else {
      assertThat(outcome).as("%s", pod).isInstanceOf(StoreReleaseOutcome.Refused.class);
      perhapsReleased.put(pod, request.began());
      failures++;
    }
  }

  /** The file is as the memory, but for what is under way. */
  void written() {
    perhapsAssigned.clear();
    perhapsReleased.clear();
  }
}
