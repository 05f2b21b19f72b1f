package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CloudPart;
import io.tidemark.datastore.ReturnTicket;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.datastore.cloud.CloudAnswers.Request;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what is not needed: reserved here and in the file, given back there, forgotten here. A
 * part that the cloud's answer leaves open stays reserved until a read, late enough, shows its
 * fate. Not thread-safe.
 */
final class PoolShrink {
  /** Between the beginnings of two decreases. */
  static final Duration EVERY = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(PoolShrink.class);

  private final CardInventory card;
  private final InterfaceCloud cloud;
  private final CloudAnswers answers;
  private final TimeSource time;
  private @Nullable Decrease current;
  private boolean begun;
  private long lastNanos;

  private static final class Decrease {
    private final ReturnTicket ticket;
    private final Deque<List<CloudPart>> requests = new ArrayDeque<>();
    private final Set<CloudPart> gone = new HashSet<>();
    private final List<CloudPart> unsure = new ArrayList<>();
    private boolean answered;
    private long answeredNanos;

    private Decrease(ReturnTicket ticket) {
      this.ticket = ticket;
    }
  }

  PoolShrink(CardInventory card, InterfaceCloud cloud, CloudAnswers answers, TimeSource time) {
    this.card = card;
    this.cloud = cloud;
    this.answers = answers;
    this.time = time;
  }

  boolean isUnderWay() {
    return current != null && !current.answered;
  }

  boolean mayBegin(long now) {
    return current == null && (!begun || now - lastNanos >= EVERY.toNanos());
  }

  /** Whether a read decides about a decrease, and is late enough now. */
  boolean needsRead(long now) {
    return current != null
        && current.answered
        && now - current.answeredNanos >= ReadLagHistory.LAG_MAX.toNanos();
  }

  void begin(PoolDecision.Step step) {
    if (step instanceof PoolDecision.Step.Remove remove) {
      if (!card.mayHaveMore(remove.eniId())) {
        begin(card.store.reserveEni(remove.eniId()));
      }
    } else if (step instanceof PoolDecision.Step.Return some) {
      begin(card.store.reserveForReturn(IpFamily.IPV4, some.kind(), some.max()));
    } else if (step instanceof PoolDecision.Step.ReturnExcluded) {
      begin(card.store.reserveExcluded());
    }
  }

  private void begin(ReturnTicket ticket) {
    if (ticket.parts().isEmpty()) {
      return;
    }
    Map<String, List<CloudPart>> requests = new TreeMap<>();
    for (CloudPart part : ticket.parts()) {
      String request =
          part.eniId() + part.cidr().map(cidr -> "" + cidr.family() + kind(cidr)).orElse("");
      requests.computeIfAbsent(request, key -> new ArrayList<>()).add(part);
    }
    begun = true;
    lastNanos = time.nanos();
    Decrease decrease = new Decrease(ticket);
    decrease.requests.addAll(requests.values());
    current = decrease;
    next(decrease);
  }

  private static CidrKind kind(Cidr cidr) {
    return cidr.isSingle() ? CidrKind.SECONDARY : CidrKind.PREFIX;
  }

  /** Another program that begins while a request is under way must not assign what it takes. */
  private void noted(Decrease decrease, List<CloudPart> parts) {
    answers.when(
        decrease.ticket.note().thenApply(CloudAnswer.Done::new),
        answer -> {
          if (answer instanceof CloudAnswer.Done<Boolean> done && done.value()) {
            request(decrease, parts);
          } else {
            LOG.warn("Nothing is given back while the file cannot be written");
            next(decrease);
          }
        });
  }

  private void next(Decrease decrease) {
    List<CloudPart> parts = decrease.requests.poll();
    if (parts != null) {
      noted(decrease, parts);
    } else if (decrease.unsure.isEmpty()) {
      end(decrease);
    } else {
      decrease.answered = true;
      decrease.answeredNanos = time.nanos();
    }
  }

  private void request(Decrease decrease, List<CloudPart> parts) {
    LOG.info("Giving back. parts={}", parts);
    parts.forEach(part -> card.history.changed(part, time.nanos()));
    String eniId = parts.get(0).eniId();
    List<Cidr> cidrs = parts.stream().flatMap(part -> part.cidr().stream()).toList();
    if (cidrs.isEmpty()) {
      answers.within(
          Request.REMOVE,
          cloud.removeEni(eniId),
          answer -> ended(decrease, parts, answer, id -> List.of(CloudPart.eni(id))));
    } else {
      answers.within(
          Request.UNASSIGN,
          cloud.unassign(eniId, kind(cidrs.get(0)), cidrs),
          answer ->
              ended(
                  decrease,
                  parts,
                  answer,
                  gone -> gone.stream().map(cidr -> CloudPart.of(eniId, cidr)).toList()));
    }
  }

  private <T> void ended(
      Decrease decrease,
      List<CloudPart> parts,
      CloudAnswer<T> answer,
      Function<T, List<CloudPart>> gone) {
    if (answer instanceof CloudAnswer.Done<T> done) {
      decrease.gone.addAll(gone.apply(done.value()));
    } else if (answer instanceof CloudAnswer.Refused<T> no && no.reason() != Reason.NOT_FOUND) {
      LOG.warn("The cloud does not take back {}: {}", parts, no.text());
    } else {
      LOG.warn("It is not known whether the cloud has back {}; a read will tell", parts);
      decrease.unsure.addAll(parts);
    }
    next(decrease);
  }

  /**
   * A read has shown what the instance has.
   *
   * @param asked when it began
   */
  void settle(List<CloudEni> cloud, long asked) {
    Decrease decrease = current;
    if (decrease == null
        || !decrease.answered
        || asked - decrease.answeredNanos < ReadLagHistory.LAG_MAX.toNanos()) {
      return;
    }
    for (CloudPart part : decrease.unsure) {
      if (!isThere(part, cloud)) {
        decrease.gone.add(part);
      }
    }
    end(decrease);
  }

  private static boolean isThere(CloudPart part, List<CloudEni> cloud) {
    return cloud.stream()
        .filter(eni -> eni.spec().id().equals(part.eniId()))
        .anyMatch(
            eni ->
                part.cidr().isEmpty()
                    || eni.cidrs().stream().anyMatch(it -> it.cidr().equals(part.cidr().get())));
  }

  private void end(Decrease decrease) {
    current = null;
    decrease.gone.forEach(part -> card.history.left(part, time.nanos()));
    decrease.ticket.commit(decrease.gone);
  }
}
