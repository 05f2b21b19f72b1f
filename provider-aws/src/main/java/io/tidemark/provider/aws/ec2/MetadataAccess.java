package io.tidemark.provider.aws.ec2;

import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.net.URI;
import software.amazon.awssdk.core.SdkSystemSetting;

/** Whether the instance metadata service may be asked, as for every program with the AWS SDK. */
public final class MetadataAccess {
  private static final String DISABLED =
      "instance metadata are disabled by AWS_EC2_METADATA_DISABLED. Set aws-region and cluster-name, or unset"
          + " the variable.";

  private MetadataAccess() {}

  /**
   * The service at {@code endpoint}; where {@code AWS_EC2_METADATA_DISABLED} is true, one that
   * sends no request and has nothing.
   */
  public static InstanceMetadata at(URI endpoint) {
    return SdkSystemSetting.AWS_EC2_METADATA_DISABLED.getBooleanValue().orElse(false)
        ? path -> {
          throw MetadataUnavailable.unusable(DISABLED);
        }
        : new HttpInstanceMetadata(endpoint, HttpInstanceMetadata.TIMEOUT);
  }
}
