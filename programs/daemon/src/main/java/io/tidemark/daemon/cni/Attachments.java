package io.tidemark.daemon.cni;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PairAllocation;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.file.Commit;
import io.tidemark.file.GroupCommit;
import io.tidemark.metrics.Meters;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which pod has which addresses. An ADD allocates, makes that durable, then answers; a DEL makes
 * durable that the attachment is gone, then releases, then answers. So a crash leaves an address
 * taken, never taken twice (A87).
 *
 * <p>Everything runs on one lane, one task at a time; a request about an attachment waits for the
 * one before it.
 */
final class Attachments {
  private final Executor lane;
  private final TaskScheduler scheduler;
  private final Ipam ipam;
  private final GroupCommit<StateChange> commits;
  private final Gateways gateways;
  private final WaitingAdds waiting;
  private final Map<AttachmentKey, Attachment> attached = new LinkedHashMap<>();
  private final Map<AttachmentKey, Adding> adding = new HashMap<>();
  private final Map<AttachmentKey, CompletableFuture<Optional<CniFailure>>> removing =
      new HashMap<>();

  /** How an ADD ended. */
  sealed interface AddOutcome {
    /** With these addresses, which are on disk. */
    record Granted(Attachment attachment) implements AddOutcome {}

    /** Nothing is attached. */
    record Refused(CniFailure failure) implements AddOutcome {}
  }

  private final class Adding implements WaitingAdds.Request {
    private final AttachmentKey key;
    private final String owner;
    private final PoolName pool;
    private final CompletableFuture<AddOutcome> end = new CompletableFuture<>();

    private Adding(AttachmentKey key, String owner, PoolName pool) {
      this.key = key;
      this.owner = owner;
      this.pool = pool;
    }

    /** Allocates and hands over to the file. */
    @Override
    public Optional<Denial> attempt() {
      PairAllocation pair = ipam.allocateNextPair(owner, pool, UpstreamSync.NOW);
      if (pair instanceof Allocation.Denied denied) {
        return Optional.of(denied.denial());
      }
      PairAllocation.Granted granted = (PairAllocation.Granted) pair;
      List<Address> addresses =
          Stream.of(granted.ipv4(), granted.ipv6())
              .flatMap(Optional::stream)
              .map(each -> new Address(each.ip(), each.pool()))
              .toList();
      Optional<List<Address>> routers = gateways.of(addresses);
      if (routers.isEmpty()) {
        addresses.forEach(Attachments.this::release);
        dropGateways();
        Address first = addresses.get(0);
        return Optional.of(Denial.poolNotReady(first.pool(), first.ip().family()));
      }
      Attachment attachment = new Attachment(key, owner, addresses, scheduler.time().epochMillis());
      commits
          .submit(new StateChange.Attach(attachment, routers.get()))
          .thenAccept(commit -> lane.execute(() -> committed(attachment, commit)));
      return Optional.empty();
    }

    private void committed(Attachment attachment, Commit commit) {
      if (commit instanceof Commit.Failed failed) {
        release(attachment);
        dropGateways();
        ends(new AddOutcome.Refused(CniFailure.tryAgain(failed.reason())));
      } else {
        attached.put(key, attachment);
        ends(new AddOutcome.Granted(attachment));
      }
    }

    @Override
    public void denied(Denial denial) {
      ends(
          new AddOutcome.Refused(
              denial.retryable()
                  ? CniFailure.tryAgain(denial.text())
                  : CniFailure.of(denial.code(), denial.detail())));
    }

    private void ends(AddOutcome outcome) {
      adding.remove(key);
      end.complete(outcome);
    }
  }

  /**
   * Nothing is attached but what was restored.
   *
   * @param gateways of the pods
   * @param restored attachments whose addresses are allocated already
   * @param waitMax how long an ADD waits for a free address
   */
  Attachments(
      Executor lane,
      TaskScheduler scheduler,
      Ipam ipam,
      GroupCommit<StateChange> commits,
      Gateways gateways,
      List<Attachment> restored,
      Duration waitMax,
      Meters meters) {
    this.lane = lane;
    this.scheduler = scheduler;
    this.ipam = ipam;
    this.commits = commits;
    this.gateways = gateways;
    this.waiting = new WaitingAdds(lane, scheduler, waitMax, meters);
    restored.forEach(each -> attached.put(each.key(), each));
  }

  // ---- ADD

  /**
   * The addresses of an attachment: those it has, or new ones.
   *
   * @param pool {@link PoolName#NOT_GIVEN} for the pool that the owner prefers
   */
  CompletionStage<AddOutcome> add(AttachmentKey key, String owner, PoolName pool) {
    CompletableFuture<AddOutcome> end = new CompletableFuture<>();
    lane.execute(() -> add(key, owner, pool, end));
    return end;
  }

  private void add(
      AttachmentKey key, String owner, PoolName pool, CompletableFuture<AddOutcome> end) {
    CompletableFuture<Optional<CniFailure>> before = removing.get(key);
    Attachment present = attached.get(key);
    if (before != null) {
      before.thenRun(() -> lane.execute(() -> add(key, owner, pool, end)));
    } else if (present != null) {
      end.complete(new AddOutcome.Granted(present));
    } else {
      Adding same = adding.get(key);
      if (same == null) {
        same = new Adding(key, owner, pool);
        adding.put(key, same);
        waiting.serveOrWait(same);
      }
      same.end.thenAccept(end::complete);
    }
  }

  // ---- DEL, GC

  /** Takes an attachment back; why that failed, or empty. One that does not exist is gone. */
  CompletionStage<Optional<CniFailure>> delete(AttachmentKey key) {
    CompletableFuture<Optional<CniFailure>> end = new CompletableFuture<>();
    lane.execute(() -> delete(key, end));
    return end;
  }

  private void delete(AttachmentKey key, CompletableFuture<Optional<CniFailure>> end) {
    Adding request = adding.get(key);
    if (request != null && waiting.remove(request)) {
      request.ends(new AddOutcome.Refused(CniFailure.tryAgain(key + " was deleted meanwhile")));
      end.complete(Optional.empty());
    } else if (request != null) {
      request.end.thenRun(() -> lane.execute(() -> delete(key, end)));
    } else {
      remove(key).thenAccept(end::complete);
    }
  }

  private CompletionStage<Optional<CniFailure>> remove(AttachmentKey key) {
    CompletableFuture<Optional<CniFailure>> under = removing.get(key);
    Attachment present = attached.get(key);
    if (under != null) {
      return under;
    }
    CompletableFuture<Optional<CniFailure>> end = new CompletableFuture<>();
    if (present == null) {
      end.complete(Optional.empty());
      return end;
    }
    removing.put(key, end);
    commits
        .submit(new StateChange.Detach(key, scheduler.time().epochMillis()))
        .thenAccept(commit -> lane.execute(() -> removed(present, commit, end)));
    return end;
  }

  private void removed(
      Attachment attachment, Commit commit, CompletableFuture<Optional<CniFailure>> end) {
    removing.remove(attachment.key());
    Optional<CniFailure> failure = Optional.empty();
    if (commit instanceof Commit.Failed failed) {
      failure = Optional.of(CniFailure.tryAgain(failed.reason()));
    } else {
      attached.remove(attachment.key());
      release(attachment);
      dropGateways();
      waiting.serve();
    }
    end.complete(failure);
  }

  /** The gateway of a network without pods leaves the file, then its address is free. */
  private void dropGateways() {
    List<Address> gone = gateways.leave();
    if (!gone.isEmpty()) {
      commits
          .submit(new StateChange.Routers(gateways.all()))
          .thenAccept(commit -> lane.execute(() -> dropped(gone, commit)));
    }
  }

  private void dropped(List<Address> gone, Commit commit) {
    if (commit instanceof Commit.Failed) {
      gateways.stay(gone);
    } else {
      gone.forEach(this::release);
    }
  }

  private void release(Attachment attachment) {
    attachment.addresses().forEach(this::release);
  }

  private void release(Address address) {
    ipam.release(address.ip(), address.pool());
  }

  /** Takes back what is attached and not in {@code valid}; the first failure, or empty. */
  CompletionStage<Optional<CniFailure>> collect(Predicate<AttachmentKey> garbage) {
    CompletableFuture<Optional<CniFailure>> end = new CompletableFuture<>();
    lane.execute(
        () -> {
          CompletionStage<Optional<CniFailure>> all =
              CompletableFuture.completedFuture(Optional.empty());
          for (AttachmentKey key : new ArrayList<>(attached.keySet())) {
            if (garbage.test(key)) {
              all = all.thenCombine(remove(key), (first, next) -> first.or(() -> next));
            }
          }
          all.thenAccept(end::complete);
        });
    return end;
  }

  // ---- CHECK

  CompletionStage<Optional<Attachment>> find(AttachmentKey key) {
    CompletableFuture<Optional<Attachment>> end = new CompletableFuture<>();
    lane.execute(() -> end.complete(Optional.ofNullable(attached.get(key))));
    return end;
  }

  // ---- STATUS

  /**
   * Why an ADD could not be served now, or empty. From any thread; never blocks.
   *
   * @param pool that must have addresses; {@link PoolName#NOT_GIVEN} for none
   */
  Optional<String> unable(PoolName pool) {
    int pods = waiting.lacking(pool);
    if (pods > 0) {
      return Optional.of("pods wait for an address: " + pods);
    }
    Optional<String> lack = pool.isGiven() ? ipam.unable().map(Denial::text) : Optional.empty();
    return lack.or(commits::unhealthy);
  }
}
