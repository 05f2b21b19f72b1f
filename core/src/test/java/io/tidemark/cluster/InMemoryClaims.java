package io.tidemark.cluster;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryObjects;
import io.tidemark.resource.InMemoryView;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * An API server of claims in memory, and a {@link ClaimStore} per client. Requests that are lost or
 * late, and answers that are lost, are the effect model's; {@link Interference} answers in place of
 * the server. Used by one thread.
 */
public final class InMemoryClaims {
  private final InMemoryObjects<Claim> claims = new InMemoryObjects<>(Claim::withVersion);

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

  /** A client whose watch delivers without a delay of its own. */
  public ClaimStore client(TaskScheduler scheduler) {
    return client(scheduler, DeliveryDelay.NONE, Interference.NONE);
  }

  /** A new client, independent of other clients; {@code scheduler} runs its watch. */
  public ClaimStore client(
      TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
    return new Client(
        interference,
        new InMemoryView<>(claims, Optional.empty(), scheduler, delay, OptionalInt.empty()));
  }

  /** All claims on the server, by name. */
  public List<Claim> all() {
    return claims.all().stream().flatMap(each -> each.found().stream()).toList();
  }

  /** Makes a claim as a person does. */
  public Claim put(String name, String holder, String holderUid) {
    remove(name);
    return stored(new Claim(name, uid(), "", holder, holderUid));
  }

  /** Adds a claim of which no watch tells, as a restore of the server from a backup does. */
  public void restore(String name, String holder, String holderUid) {
    claims.restore(name, new Claim(name, uid(), "", holder, holderUid));
  }

  /** Deletes a claim as a person does; false when there is none. */
  public boolean remove(String name) {
    return claims.remove(name);
  }

  private ClaimChange create(String name, String holder, String holderUid) {
    return claims.find(name).isPresent()
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
    Optional<Claim> found = claims.find(seen.name());
    if (found.isEmpty()) {
      return Optional.of(new ClaimChange.Gone());
    }
    Claim now = found.get();
    return now.uid().equals(seen.uid()) && now.version().equals(seen.version())
        ? Optional.empty()
        : Optional.of(new ClaimChange.Conflict());
  }

  private String uid() {
    return new UUID(1, claims.version() + 1).toString();
  }

  private Claim stored(Claim claim) {
    return claims.atomically(() -> claims.put(claim.name(), claim)).found().orElseThrow();
  }

  private final class Client implements ClaimStore {
    private final Interference interference;
    private final InMemoryView<Claim> view;

    Client(Interference interference, InMemoryView<Claim> view) {
      this.interference = interference;
      this.view = view;
    }

    @Override
    public Optional<Claim> latest(String name) {
      return view.latest(name);
    }

    @Override
    public List<String> names() {
      return view.names().stream().sorted().toList();
    }

    @Override
    public Watch watch(ObjectWatcher<Claim> watcher) {
      return view.watch(watcher::upserted, watcher::deleted, watcher::synced);
    }

    @Override
    public CatchUp list() {
      Optional<ClaimChange> instead = interference.before(Request.LIST, "");
      if (instead.isPresent()) {
        return new CatchUp.Failed(instead.get().toString());
      }
      view.list();
      return new CatchUp.Done();
    }

    @Override
    public Reading get(String name) {
      Optional<ClaimChange> instead = interference.before(Request.GET, name);
      if (instead.isPresent()) {
        return new Reading.Failed(instead.get().toString());
      }
      return view.read(name).<Reading>map(Reading.Found::new).orElseGet(Reading.Absent::new);
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
        view.read(name);
      }
      return end;
    }
  }
}
