package io.tidemark.provider.mock;

import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InstanceId;
import java.util.Optional;

/** The contents of manifests. Thread-safe; never calls a provider back. */
interface Claims {
  /** Manifests say nothing about the cloud. */
  Claims NONE =
      new Claims() {
        @Override
        public void arrived(String node, InstanceId id, NodeResource resource) {}

        @Override
        public void named(InstanceId id) {}

        @Override
        public void left(InstanceId id) {}

        @Override
        public Optional<Blocked> conflict(String node, InstanceId id) {
          return Optional.empty();
        }

        @Override
        public int networkChanges() {
          return 0;
        }
      };

  /** A manifest appeared, its node became another instance, or what waits was changed. */
  void arrived(String node, InstanceId id, NodeResource resource);

  /** The provider ID of a Node names an instance. */
  void named(InstanceId id);

  /** The manifest of an instance is gone. */
  void left(InstanceId id);

  /** Why the node must wait: another claims the same, or the manifest contradicts itself. */
  Optional<Blocked> conflict(String node, InstanceId id);

  /** How often networks may have been added or changed. */
  int networkChanges();
}
