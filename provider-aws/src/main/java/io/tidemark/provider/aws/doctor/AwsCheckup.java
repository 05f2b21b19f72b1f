package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Clients;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.aws.start.StartupRequests;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.time.TimeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The checks of {@code doctor} on AWS. Every request is a read or a dry run and is paced like all
 * others. Used once; thread-safe.
 */
public final class AwsCheckup implements Checkup {
  private static final int ATTEMPTS_MAX = 2;

  /** The part of the time for the metadata, where nothing else names the region. */
  private static final double REGION = 0.15;

  private final CheckupSettings settings;
  private final Function<String, Ec2Clients> opener;
  private final InstanceMetadata metadata;
  private final CloudCalls calls;
  private final CloudCalls network;
  private final TimeSource time;
  private final Object lock = new Object();
  private @Nullable Ec2Clients open;
  private boolean closed;

  /**
   * Makes no request yet.
   *
   * @param opener connects to a region, without a request
   * @param calls to the account of the instances, with the kinds of {@link #policy}
   * @param network to the account of VPC and subnets: what stops one does not stop the other
   */
  public AwsCheckup(
      CheckupSettings settings,
      Function<String, Ec2Clients> opener,
      InstanceMetadata metadata,
      CloudCalls calls,
      CloudCalls network,
      TimeSource time) {
    this.settings = settings;
    this.opener = opener;
    this.metadata = metadata;
    this.calls = calls;
    this.network = network;
    this.time = time;
  }

  /** The policy of its door: a dry run of a change is a read, with the bucket of the change. */
  public static CallPolicy policy(String account, String region, double share) {
    CallPolicy real = StartupRequests.with(Ec2CallLimits.of(account, region, share));
    Map<CallKind, CallLimits> limits = new HashMap<>();
    real.limits().forEach((kind, limit) -> limits.put(Accounts.probeKind(kind), twice(limit)));
    return new CallPolicy(real.account(), limits, real.classifier());
  }

  /** Twice is enough to tell an accident from what is wrong, and leaves time for the rest. */
  private static CallLimits twice(CallLimits limit) {
    return new CallLimits(
        limit.callsPerSecond(),
        limit.burst(),
        limit.attemptTimeout(),
        Math.min(ATTEMPTS_MAX, limit.attempts()));
  }

  @Override
  public CompletionStage<List<Finding>> run(List<NodeResource> nodes, CallContext context) {
    long began = time.nanos();
    long all = Math.max(0, context.deadlineNanos() - began);
    DoubleFunction<CallContext> parts = part -> context.until(began + (long) (all * part));
    return CallResult.after(
        settings.region().isPresent()
            ? CallResult.answered(settings.region().get())
            : StartupRequests.ask(calls, parts.apply(REGION), metadata::region),
        named ->
            new RegionCheckup(
                    settings,
                    new Accounts(open(named), calls, network, time),
                    metadata,
                    named,
                    parts)
                .run(nodes),
        failure -> CompletableFuture.completedStage(List.of(noRegion(failure))));
  }

  private Finding noRegion(Failure failure) {
    boolean unfinished = failure.isOfDeadline();
    return Finding.of(
        "region",
        settings.metadata().toString(),
        unfinished ? Verdict.UNFINISHED : Verdict.FAILED,
        "settings, environment and profile name no region, and "
            + (unfinished ? Findings.unfinished(failure) : failure.detail()),
        "Set aws-region.");
  }

  private Ec2Clients open(String region) {
    Ec2Clients opened = opener.apply(region);
    synchronized (lock) {
      if (!closed) {
        open = opened;
        return opened;
      }
    }
    opened.close();
    throw new IllegalStateException("opened after the end");
  }

  @Override
  public void close() {
    @Nullable Ec2Clients left;
    synchronized (lock) {
      closed = true;
      left = open;
      open = null;
    }
    if (left != null) {
      left.close();
    }
  }
}
