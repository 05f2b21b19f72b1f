package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** EC2's limits of a type, read without a call that anybody counts. */
final class TrueLimits implements Limits {
  private final Map<String, Optional<InstanceType>> known = new ConcurrentHashMap<>();
  private final Ec2Api api;
  private final Door door;

  /** Ends when no first lookup is under way. */
  volatile CompletionStage<Void> settled = CompletableFuture.completedStage(null);

  /** {@code door} hears every question. */
  TrueLimits(Ec2Api api, Door door) {
    this.api = api;
    this.door = door;
  }

  @Override
  public Optional<InstanceType> find(String type) {
    door.asked("limits of " + type);
    return known.computeIfAbsent(
        type,
        name -> {
          try {
            return api
                .describeInstanceTypes(
                    Ec2Filter.of("instance-type", Set.of(name)), Optional.empty())
                .items()
                .stream()
                .findFirst();
          } catch (Ec2Failure unknown) {
            return Optional.empty();
          }
        });
  }

  @Override
  public CompletionStage<Void> settled() {
    return settled;
  }

  @Override
  public void doubt(String type) {
    known.remove(type);
  }
}
