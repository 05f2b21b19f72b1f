package io.tidemark.manifests;

import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The state of one node. Guarded by the lock of the store. */
final class FolderNode<T> {
  final String name;

  /** Where the object was last seen. */
  Optional<Path> file = Optional.empty();

  /** The object as it stands in its file, with its version. */
  Optional<T> disk = Optional.empty();

  /** Hash of the object's characters in its file. */
  String diskHash = "";

  /** The object that was answered as stored and is not in the file yet, with its version. */
  Optional<T> pending = Optional.empty();

  /** The origin of {@link #pending}: the difference between the two is what is written. */
  Optional<T> base = Optional.empty();

  /** Why the object is refused now; empty when it is not. */
  List<ResourceProblem> problems = List.of();

  /** Why the last write was refused; empty when it was not. */
  Optional<ResourceProblem> editProblem = Optional.empty();

  FolderNode(String name) {
    this.name = name;
  }

  /** The newest state: what is pending, else what stands in the file. */
  Optional<T> current() {
    return pending.isPresent() ? pending : disk;
  }

  /** The object stands in its file like this; nothing is pending any more. */
  void settle(T resource, String hash) {
    disk = Optional.of(resource);
    diskHash = hash;
    pending = Optional.empty();
    base = Optional.empty();
    editProblem = Optional.empty();
  }
}
