package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.Optional;

/**
 * How the emulated Azure behaves. Immutable.
 *
 * @param seed of everything that is drawn
 * @param throttling whether requests are counted and refused
 * @param latency between a request and its response
 * @param operation how long a write goes on after it was accepted
 * @param operationPolls end an operation at this poll instead; 0 to end it in time
 * @param retryAfter the header of that name on accepted writes and polls; empty for none
 * @param announcement which header names an operation
 * @param operationExpiry how long the state of an ended operation can be read
 * @param busy what happens to a write to a resource that is being written
 * @param listLag how far lists of a scale set's interfaces lag behind
 * @param macDelay how long a new interface has no MAC address
 * @param reuseDelay how long a released address is given to nobody
 * @param blockForm how reads show a block
 * @param pageSize entries of a page of a list, 1 or more
 * @param tokenLife how long an access token is valid
 */
public record ModelOptions(
    long seed,
    boolean throttling,
    DelayRange latency,
    DelayRange operation,
    int operationPolls,
    Optional<Duration> retryAfter,
    Announcement announcement,
    Duration operationExpiry,
    Busy busy,
    DelayRange listLag,
    DelayRange macDelay,
    Duration reuseDelay,
    BlockForm blockForm,
    int pageSize,
    Duration tokenLife) {
  /** How a response names the operation that it began. */
  public enum Announcement {
    /** Azure-AsyncOperation and Location. */
    BOTH,
    /** Azure-AsyncOperation. */
    ASYNC_OPERATION,
    /** Location, with status 202 at the compute provider. */
    LOCATION,
    /** Nothing; the resource's provisioningState tells. */
    NONE
  }

  /** The treatment of a write to a resource that is being written. */
  public enum Busy {
    /** 429 RetryableErrorDueToAnotherOperation. */
    ANOTHER_OPERATION_429,
    /** 429 RetryableError with a detail ReferencedResourceNotProvisioned. */
    NOT_PROVISIONED_429,
    /** 409 AnotherOperationInProgress. */
    IN_PROGRESS_409,
    /** 409 ConflictingConcurrentWriteNotAllowed. */
    CONCURRENT_WRITE_409,
    /** It is accepted and cancels the one before. */
    PREEMPT
  }

  public ModelOptions {
    if (pageSize < 1 || operationPolls < 0) {
      throw new IllegalArgumentException(
          "page size " + pageSize + ", polls " + operationPolls + "; expected 1 and 0 or more");
    }
  }

  /** Everything happens at once, and nobody is refused for asking often. */
  public static ModelOptions of(long seed) {
    return builder(seed).build();
  }

  /** Options to be changed, which begin as {@link #of} says. */
  public static Builder builder(long seed) {
    return new Builder(seed);
  }

  /**
   * These with what a command line says.
   *
   * @param otherSeed empty to keep the seed
   * @param unthrottled true to refuse nobody
   */
  public ModelOptions with(Optional<Long> otherSeed, boolean unthrottled) {
    return new ModelOptions(
        otherSeed.orElse(seed),
        throttling && !unthrottled,
        latency,
        operation,
        operationPolls,
        retryAfter,
        announcement,
        operationExpiry,
        busy,
        listLag,
        macDelay,
        reuseDelay,
        blockForm,
        pageSize,
        tokenLife);
  }

  /** Collects options; used by one thread. */
  public static final class Builder {
    private final long seed;
    private boolean throttling;
    private DelayRange latency = DelayRange.NONE;
    private DelayRange operation = DelayRange.NONE;
    private int operationPolls;
    private Optional<Duration> retryAfter = Optional.empty();
    private Announcement announcement = Announcement.ASYNC_OPERATION;
    private Duration operationExpiry = Duration.ofHours(24);
    private Busy busy = Busy.ANOTHER_OPERATION_429;
    private DelayRange listLag = DelayRange.NONE;
    private DelayRange macDelay = DelayRange.NONE;
    private Duration reuseDelay = Duration.ZERO;
    private BlockForm blockForm = BlockForm.CIDR;
    private int pageSize = 100;
    private Duration tokenLife = Duration.ofHours(1);

    private Builder(long seed) {
      this.seed = seed;
    }

    public Builder throttling(boolean changed) {
      throttling = changed;
      return this;
    }

    public Builder latency(DelayRange changed) {
      latency = changed;
      return this;
    }

    public Builder operation(DelayRange changed) {
      operation = changed;
      return this;
    }

    public Builder operationPolls(int changed) {
      operationPolls = changed;
      return this;
    }

    public Builder retryAfter(Duration changed) {
      retryAfter = Optional.of(changed);
      return this;
    }

    public Builder announcement(Announcement changed) {
      announcement = changed;
      return this;
    }

    public Builder operationExpiry(Duration changed) {
      operationExpiry = changed;
      return this;
    }

    public Builder busy(Busy changed) {
      busy = changed;
      return this;
    }

    public Builder listLag(DelayRange changed) {
      listLag = changed;
      return this;
    }

    public Builder macDelay(DelayRange changed) {
      macDelay = changed;
      return this;
    }

    public Builder reuseDelay(Duration changed) {
      reuseDelay = changed;
      return this;
    }

    public Builder blockForm(BlockForm changed) {
      blockForm = changed;
      return this;
    }

    public Builder pageSize(int changed) {
      pageSize = changed;
      return this;
    }

    public Builder tokenLife(Duration changed) {
      tokenLife = changed;
      return this;
    }

    /** The options. */
    public ModelOptions build() {
      return new ModelOptions(
          seed,
          throttling,
          latency,
          operation,
          operationPolls,
          retryAfter,
          announcement,
          operationExpiry,
          busy,
          listLag,
          macDelay,
          reuseDelay,
          blockForm,
          pageSize,
          tokenLife);
    }
  }
}
