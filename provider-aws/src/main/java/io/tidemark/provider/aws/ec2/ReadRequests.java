package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.InstanceId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.model.DescribeAddressesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstanceTypesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeNetworkInterfacesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeRouteTablesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeSecurityGroupsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeSubnetsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeTagsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeVpcsRequest;
import software.amazon.awssdk.services.ec2.model.GetSecurityGroupsForVpcRequest;

/**
 * Builds the reading requests (provider-aws 1.1 rows 1 to 12): by filter, never by the ids
 * parameter, which excludes paging and fails as a whole when one id has gone. Pure.
 */
final class ReadRequests {
  private static final List<String> IDLE =
      List.of("pending", "shutting-down", "stopped", "stopping");

  private final PageSizes pages;

  ReadRequests(PageSizes pages) {
    this.pages = pages;
  }

  DescribeNetworkInterfacesRequest interfaces(InterfaceQuery query, Optional<String> token) {
    return DescribeNetworkInterfacesRequest.builder()
        .filters(filters(query).toList())
        .maxResults(pages.large())
        .nextToken(orNull(token))
        .build();
  }

  private static Filters filters(InterfaceQuery query) {
    Filters filters = new Filters();
    if (query instanceof InterfaceQuery.Everywhere) {
      return filters;
    }
    if (query instanceof InterfaceQuery.OfVpcs vpcs) {
      return filters.anyOf("vpc-id", vpcs.vpcIds());
    }
    if (query instanceof InterfaceQuery.OfInstances instances) {
      return filters.anyOf("attachment.instance-id", texts(instances.ids()));
    }
    if (query instanceof InterfaceQuery.One one) {
      return filters.is("network-interface-id", one.id().text());
    }
    if (query instanceof InterfaceQuery.Tagged tagged) {
      return filters.tags(tagged.tags());
    }
    return filters.tags(((InterfaceQuery.Available) query).tags()).is("status", "available");
  }

  DescribeSubnetsRequest subnets(SubnetFilter filter, Optional<String> token) {
    return DescribeSubnetsRequest.builder()
        .filters(filters(filter).toList())
        .maxResults(pages.medium())
        .nextToken(orNull(token))
        .build();
  }

  static Filters filters(SubnetFilter filter) {
    return new Filters()
        .anyOf("vpc-id", filter.vpcIds())
        .anyOf("subnet-id", filter.ids())
        .tags(filter.tags());
  }

  DescribeVpcsRequest vpcs(Set<String> ids, Optional<String> token) {
    return DescribeVpcsRequest.builder()
        .filters(new Filters().anyOf("vpc-id", ids).toList())
        .maxResults(pages.medium())
        .nextToken(orNull(token))
        .build();
  }

  DescribeRouteTablesRequest routeTables(Set<String> vpcIds, Optional<String> token) {
    return DescribeRouteTablesRequest.builder()
        .filters(new Filters().anyOf("vpc-id", vpcIds).toList())
        .maxResults(pages.small())
        .nextToken(orNull(token))
        .build();
  }

  GetSecurityGroupsForVpcRequest groupsForVpc(String vpcId, Optional<String> token) {
    return GetSecurityGroupsForVpcRequest.builder()
        .vpcId(vpcId)
        .maxResults(pages.medium())
        .nextToken(orNull(token))
        .build();
  }

  DescribeSecurityGroupsRequest groups(Set<String> vpcIds, Optional<String> token) {
    return DescribeSecurityGroupsRequest.builder()
        .filters(new Filters().anyOf("vpc-id", vpcIds).toList())
        .maxResults(pages.medium())
        .nextToken(orNull(token))
        .build();
  }

  DescribeInstancesRequest instances(Set<InstanceId> ids, Optional<String> token) {
    return instances(new Filters().anyOf("instance-id", texts(ids)), token);
  }

  DescribeInstancesRequest idle(Set<String> vpcIds, Optional<String> token) {
    return instances(
        new Filters().anyOf("vpc-id", vpcIds).anyOf("instance-state-name", IDLE), token);
  }

  DescribeInstancesRequest tagged(Map<String, String> tags, Optional<String> token) {
    return instances(new Filters().tags(tags), token);
  }

  private DescribeInstancesRequest instances(Filters filters, Optional<String> token) {
    return DescribeInstancesRequest.builder()
        .filters(filters.toList())
        .maxResults(pages.large())
        .nextToken(orNull(token))
        .build();
  }

  DescribeInstanceTypesRequest types(Set<String> names, Optional<String> token) {
    return DescribeInstanceTypesRequest.builder()
        .filters(new Filters().anyOf("instance-type", names).toList())
        .maxResults(pages.small())
        .nextToken(orNull(token))
        .build();
  }

  DescribeTagsRequest tag(InstanceId instance, String key) {
    return DescribeTagsRequest.builder()
        .filters(
            new Filters()
                .is("resource-type", "instance")
                .is("resource-id", instance.text())
                .is("key", key)
                .toList())
        .maxResults(pages.large())
        .build();
  }

  /** Has no pages. */
  DescribeAddressesRequest addresses(Map<String, String> tags) {
    return DescribeAddressesRequest.builder().filters(new Filters().tags(tags).toList()).build();
  }

  private static List<String> texts(Collection<InstanceId> ids) {
    return ids.stream().map(InstanceId::text).toList();
  }

  private static @Nullable String orNull(Optional<String> token) {
    return token.orElse(null);
  }
}
