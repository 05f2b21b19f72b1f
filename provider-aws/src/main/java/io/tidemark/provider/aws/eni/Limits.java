package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The limits of instance types. Never blocks; thread-safe. */
public interface Limits {
  /** The type; empty while it is unknown. The first call starts a lookup. */
  Optional<InstanceType> find(String type);

  /** Whether a first lookup of this type is under way, without which nothing is known of it. */
  default boolean isPending(String type) {
    return false;
  }

  /** Ends when no first lookup is under way any more, however they ended. */
  default CompletionStage<Void> settled() {
    return CompletableFuture.completedStage(null);
  }

  /** The limits that EC2 alone told, as text for the next leader. */
  default String learned() {
    return "";
  }

  /** Takes what a former leader learned, which is used until EC2 is asked. */
  default void inherit(String learned) {}

  /** Looks the type up again, because EC2 contradicted the known limits. */
  void doubt(String type);
}
