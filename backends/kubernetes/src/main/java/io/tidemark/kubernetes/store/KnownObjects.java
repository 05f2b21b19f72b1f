package io.tidemark.kubernetes.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The newest known version of every object of one kind, from lists, watches, and answers to reads
 * and writes. It never goes back, with one exception: when the server itself went back (etcd
 * restored from a backup), its present answer counts. Thread-safe.
 */
final class KnownObjects<T> {
  /** Deleted objects that are remembered, so that a late answer does not bring one back. */
  private static final int GONE_MAX = 1024;

  private final Object lock = new Object();
  private final Map<String, KnownObject<T>> objects = new HashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();

  /**
   * Takes in a version and answers the newest one of that object; of two equal ones, that which was
   * known. What a list of the same version does not have was deleted after it was seen.
   */
  KnownObject<T> learn(KnownObject<T> seen) {
    synchronized (lock) {
      KnownObject<T> before = objects.get(seen.name());
      if (before != null
          && (Revisions.isOlder(seen.version(), before.version())
              || before.equals(seen)
              || before.isGoneAt(seen.version()))) {
        return before;
      }
      return put(seen, before);
    }
  }

  /**
   * Takes in the answer to a read that began when {@code before} was the newest version: if nothing
   * came meanwhile, it is what the server has, older or not. A server that was restored has older
   * ones.
   */
  KnownObject<T> learnFresh(KnownObject<T> seen, Optional<KnownObject<T>> before) {
    synchronized (lock) {
      KnownObject<T> now = objects.get(seen.name());
      return now != null && !now.equals(seen) && before.filter(now::equals).isPresent()
          ? put(seen, now)
          : learn(seen);
    }
  }

  /**
   * Takes in which objects a list does not have.
   *
   * @param before what was known when the list was asked for
   * @param present the names of all its objects
   * @param version of the list
   * @return the names of those that are gone by it
   */
  List<String> learnAbsent(
      Map<String, KnownObject<T>> before, Set<String> present, String version) {
    List<String> absent = new ArrayList<>();
    all()
        .forEach(
            (name, now) -> {
              boolean goneLater = now.gone() && Revisions.isOlder(version, now.version());
              if (!present.contains(name) && (!now.gone() || goneLater)) {
                KnownObject<T> gone = KnownObject.gone(name, version);
                boolean isGone =
                    learnFresh(gone, Optional.ofNullable(before.get(name))).equals(gone);
                if (isGone && !now.gone()) {
                  absent.add(name);
                }
              }
            });
    return absent;
  }

  private KnownObject<T> put(KnownObject<T> seen, @Nullable KnownObject<T> before) {
    KnownObject<T> kept = before == null ? seen : seen.after(before);
    objects.put(kept.name(), kept);
    gone.remove(kept.name());
    if (kept.gone()) {
      gone.add(kept.name());
      if (gone.size() > GONE_MAX) {
        String oldest = gone.iterator().next();
        gone.remove(oldest);
        objects.remove(oldest);
      }
    }
    return kept;
  }

  Optional<KnownObject<T>> find(String name) {
    synchronized (lock) {
      return Optional.ofNullable(objects.get(name));
    }
  }

  /** Everything that is known now, by name, including deleted objects. */
  Map<String, KnownObject<T>> all() {
    synchronized (lock) {
      return new HashMap<>(objects);
    }
  }

  List<String> names() {
    synchronized (lock) {
      List<String> names = new ArrayList<>(objects.size());
      objects.forEach(
          (name, object) -> {
            if (!object.gone()) {
              names.add(name);
            }
          });
      return names;
    }
  }

  /** Objects that cannot be read now. */
  List<KnownObject<T>> refused() {
    synchronized (lock) {
      return objects.values().stream().filter(object -> !object.problems().isEmpty()).toList();
    }
  }
}
