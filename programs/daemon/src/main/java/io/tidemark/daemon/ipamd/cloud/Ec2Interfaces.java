package io.tidemark.daemon.ipamd.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.cloud.CloudAnswer;
import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.datastore.cloud.InterfaceCloud;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.eni.InstanceInterfaces;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AttachedInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The interfaces of the instance in EC2, in the terms of the stores. */
public final class Ec2Interfaces implements InterfaceCloud {
  private final InstanceInterfaces ec2;

  /** Sends nothing yet. */
  public Ec2Interfaces(InstanceInterfaces ec2) {
    this.ec2 = ec2;
  }

  @Override
  public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
    return ec2.read()
        .thenApply(
            result -> answer(result.map(all -> all.stream().map(Ec2Interfaces::eni).toList())));
  }

  @Override
  public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
    return ec2.create(singles(kind, count), prefixes(kind, count))
        .thenApply(result -> answer(result.map(Ec2Interfaces::eni)));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assign(
      String eniId, IpFamily family, CidrKind kind, int count) {
    return family == IpFamily.IPV6
        ? ec2.assignIpv6Prefix(eniId).thenApply(Ec2Interfaces::answer)
        : ec2.assign(eniId, singles(kind, count), prefixes(kind, count))
            .thenApply(result -> answer(result.map(Ec2Interfaces::cidrs)));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
      String eniId, CidrKind kind, List<Cidr> cidrs) {
    boolean prefixes = kind == CidrKind.PREFIX;
    AddressSet singles =
        prefixes ? AddressSet.of() : AddressSet.copyOf(cidrs.stream().map(Cidr::first).toList());
    return ec2.unassign(eniId, singles, prefixes ? cidrs : List.of())
        .thenApply(result -> answer(result.map(id -> List.copyOf(cidrs))));
  }

  @Override
  public CompletionStage<CloudAnswer<String>> removeEni(String eniId) {
    return ec2.remove(eniId).thenApply(result -> answer(result.map(id -> id.text())));
  }

  private static int singles(CidrKind kind, int count) {
    return kind == CidrKind.SECONDARY ? count : 0;
  }

  private static int prefixes(CidrKind kind, int count) {
    return kind == CidrKind.PREFIX ? count : 0;
  }

  // ---- what EC2 says, in the terms of the stores

  static CloudEni eni(InstanceInterface each) {
    return new CloudEni(
        new StoreEniSpec(
            each.id(),
            each.device(),
            each.card() == 0 && each.device() == 0,
            each.use() == InstanceInterface.Use.TRUNK,
            each.efa(),
            StoreEniSpec.routeTable(each.card(), each.device()),
            each.subnet()),
        each.card(),
        each.mac(),
        each.use() != InstanceInterface.Use.OF_OTHERS,
        cidrs(each.singles(), each.prefixes(), each.ipv6Prefixes()));
  }

  private static List<CloudCidr> cidrs(
      AddressSet singles, List<Cidr> prefixes, List<Cidr> ipv6Prefixes) {
    List<CloudCidr> all = new ArrayList<>();
    for (IpAddress each : singles.toList()) {
      all.add(new CloudCidr(Cidr.single(each), CidrKind.SECONDARY));
    }
    prefixes.forEach(each -> all.add(new CloudCidr(each, CidrKind.PREFIX)));
    ipv6Prefixes.forEach(each -> all.add(new CloudCidr(each, CidrKind.PREFIX)));
    return all;
  }

  private static List<Cidr> cidrs(AttachedInterface added) {
    List<Cidr> all = new ArrayList<>(added.singles().toList().stream().map(Cidr::single).toList());
    all.addAll(added.blocks());
    return all;
  }

  static <T> CloudAnswer<T> answer(CallResult<T> result) {
    return result.match(CloudAnswer.Done::new, Ec2Interfaces::failed);
  }

  private static <T> CloudAnswer<T> failed(Failure failure) {
    return failure.kind() == Failure.Kind.LOST
        ? new CloudAnswer.Unknown<>(failure.toText())
        : new CloudAnswer.Refused<>(reason(failure), failure.toText());
  }

  private static CloudAnswer.Reason reason(Failure failure) {
    return switch (Ec2Condition.of(failure)) {
      case SUBNET_EXHAUSTED, PREFIX_EXHAUSTED -> CloudAnswer.Reason.SUBNET_FULL;
      case ENI_FULL, ENI_TOO_BIG, INSTANCE_FULL -> CloudAnswer.Reason.LIMIT_REACHED;
      case ALREADY_RELEASED -> CloudAnswer.Reason.NOT_FOUND;
      default ->
          switch (failure.kind()) {
            case NOT_FOUND -> CloudAnswer.Reason.NOT_FOUND;
            case THROTTLED, TRANSIENT, CANCELLED -> CloudAnswer.Reason.UNAVAILABLE;
            default -> CloudAnswer.Reason.OTHER;
          };
    };
  }
}
