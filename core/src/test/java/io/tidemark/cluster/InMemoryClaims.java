package io.tidemark.cluster;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.TaskScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * An API server of claims in memory, and a {@link ClaimStore} per client. Requests that are lost or
 * late, and answers that are lost, are the effect model's; {@link Interference} answers in place of
 * the server. Used by one thread.
 */
public final class InMemoryClaims {
  private final Map<String, Claim> claims = new TreeMap<>();
  private final List<Client> watching = new ArrayList<>();
  private long version;

  /** A client's request. */
  public enum Request {
    LIST,
    GET,
    CREATE,
    UPDATE,
    DELETE
  }

  /** Intercepts requests of a client. */
  @FunctionalInterface
  public interface Interference {
    /** Intercepts nothing. */
    Interference NONE = (request, name) -> Optional.empty();

    /**
     * Called before each request is served; may change the claims.
     *
     * @return the ending in place of serving it, which makes a read fail; empty to serve it
     */
    Optional<ClaimChange> before(Request request, String name);
  }

  private record Versioned(long version, String name, Optional<Claim> claim) {}

  /** A client whose watch delivers without a delay of its own. */
  public ClaimStore client(TaskScheduler scheduler) {
    return client(scheduler, DeliveryDelay.NONE, Interference.NONE);
  }

  /** A new client, independent of other clients; {@code scheduler} runs its watch. */
  public ClaimStore client(
      TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
    return new Client(scheduler, delay, interference);
  }

  /** All claims on the server, by name. */
  public List<Claim> all() {
    return List.copyOf(claims.values());
  }

  /** Makes a claim as a person does. */
  public Claim put(String name, String holder, String holderUid) {
    remove(name);
    return stored(new Claim(name, uid(), "", holder, holderUid));
  }

  /** Adds a claim of which no watch tells, as a restore of the server from a backup does. */
  public void restore(String name, String holder, String holderUid) {
    String at = Long.toString(++version);
    claims.put(name, new Claim(name, uid(), at, holder, holderUid));
  }

  /** Deletes a claim as a person does; false when there is none. */
  public boolean remove(String name) {
    if (claims.remove(name) == null) {
      return false;
    }
    announce(new Versioned(++version, name, Optional.empty()));
    return true;
  }

  private ClaimChange create(String name, String holder, String holderUid) {
    return claims.containsKey(name)
        ? new ClaimChange.Exists()
        : new ClaimChange.Stored(stored(new Claim(name, uid(), "", holder, holderUid)));
  }

  private ClaimChange update(Claim seen, String holder, String holderUid) {
    return ending(seen)
        .orElseGet(() -> new ClaimChange.Stored(stored(seen.withHolder(holder, holderUid))));
  }

  private ClaimChange delete(Claim seen) {
    Optional<ClaimChange> other = ending(seen);
    if (other.isEmpty()) {
      remove(seen.name());
    }
    return other.orElseGet(ClaimChange.Gone::new);
  }

  private Optional<ClaimChange> ending(Claim seen) {
    Claim now = claims.get(seen.name());
    if (now == null) {
      return Optional.of(new ClaimChange.Gone());
    }
    return now.uid().equals(seen.uid()) && now.version().equals(seen.version())
        ? Optional.empty()
        : Optional.of(new ClaimChange.Conflict());
  }

  private String uid() {
    return new UUID(1, version + 1).toString();
  }

  private Claim stored(Claim claim) {
    Claim now = claim.withVersion(Long.toString(++version));
    claims.put(now.name(), now);
    announce(new Versioned(version, now.name(), Optional.of(now)));
    return now;
  }

  private Versioned read(String name) {
    Claim found = claims.get(name);
    long at = found == null ? version : Long.parseLong(found.version());
    return new Versioned(at, name, Optional.ofNullable(found));
  }

  private void announce(Versioned change) {
    List.copyOf(watching).forEach(client -> client.offer(List.of(change)));
  }

  private final class Client implements ClaimStore {
    private final TaskScheduler scheduler;
    private final DeliveryDelay delay;
    private final Interference interference;
    private final Map<String, Versioned> known = new HashMap<>();
    private Optional<ObjectWatcher<Claim>> watcher = Optional.empty();
    private boolean synced;
    private long lastDueNanos;

    Client(TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
      this.scheduler = scheduler;
      this.delay = delay;
      this.interference = interference;
      this.lastDueNanos = scheduler.time().nanos();
    }

    @Override
    public Optional<Claim> latest(String name) {
      return Optional.ofNullable(known.get(name)).flatMap(Versioned::claim);
    }

    @Override
    public List<String> names() {
      return known.values().stream()
          .filter(each -> each.claim().isPresent())
          .map(Versioned::name)
          .sorted()
          .toList();
    }

    @Override
    public Watch watch(ObjectWatcher<Claim> added) {
      if (watcher.isPresent()) {
        throw new IllegalStateException("this client is watched already; close that watch first");
      }
      watcher = Optional.of(added);
      synced = false;
      watching.add(this);
      offer(claims.keySet().stream().map(InMemoryClaims.this::read).toList());
      return () -> {
        watching.remove(this);
        watcher = Optional.empty();
      };
    }

    /** Delivers what there is at the start, or one change; keeps the order. */
    void offer(List<Versioned> changes) {
      long due = scheduler.time().nanos() + Math.max(0, delay.nanos());
      lastDueNanos = Math.max(due, lastDueNanos);
      scheduler.at(lastDueNanos, () -> watcher.ifPresent(to -> deliver(changes, to)));
    }

    private void deliver(List<Versioned> changes, ObjectWatcher<Claim> to) {
      for (Versioned each : changes) {
        Versioned newest = learn(each);
        boolean gone = each.claim().isEmpty() && newest.claim().isEmpty();
        if (newest.version() == each.version() || gone) {
          each.claim().ifPresentOrElse(to::upserted, () -> to.deleted(each.name()));
        }
      }
      if (!synced) {
        synced = true;
        to.synced();
      }
    }

    /** Remembers a version and answers the newest one known. */
    private Versioned learn(Versioned seen) {
      Versioned before = known.get(seen.name());
      if (before != null && before.version() > seen.version()) {
        return before;
      }
      known.put(seen.name(), seen);
      return seen;
    }

    @Override
    public CatchUp list() {
      Optional<ClaimChange> instead = interference.before(Request.LIST, "");
      if (instead.isPresent()) {
        return new CatchUp.Failed(instead.get().toString());
      }
      List<String> names = new ArrayList<>(known.keySet());
      names.addAll(claims.keySet());
      names.forEach(name -> learn(read(name)));
      return new CatchUp.Done();
    }

    @Override
    public Reading get(String name) {
      Optional<ClaimChange> instead = interference.before(Request.GET, name);
      if (instead.isPresent()) {
        return new Reading.Failed(instead.get().toString());
      }
      return learn(read(name))
          .claim()
          .<Reading>map(Reading.Found::new)
          .orElseGet(Reading.Absent::new);
    }

    @Override
    public ClaimChange create(String name, String holder, String holderUid) {
      return change(
          Request.CREATE, name, () -> InMemoryClaims.this.create(name, holder, holderUid));
    }

    @Override
    public ClaimChange update(Claim seen, String holder, String holderUid) {
      return change(
          Request.UPDATE, seen.name(), () -> InMemoryClaims.this.update(seen, holder, holderUid));
    }

    @Override
    public ClaimChange delete(Claim seen) {
      return change(Request.DELETE, seen.name(), () -> InMemoryClaims.this.delete(seen));
    }

    private ClaimChange change(Request request, String name, Supplier<ClaimChange> served) {
      ClaimChange end = interference.before(request, name).orElseGet(served);
      if (end instanceof ClaimChange.Stored || end instanceof ClaimChange.Gone) {
        learn(read(name));
      }
      return end;
    }
  }
}
