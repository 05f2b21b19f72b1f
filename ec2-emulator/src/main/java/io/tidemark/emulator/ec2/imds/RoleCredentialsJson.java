package io.tidemark.emulator.ec2.imds;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.emulator.ec2.sts.RoleArn;
import java.time.temporal.ChronoUnit;

/** Writes what IMDS tells of the instance's role ("Retrieve security credentials", User Guide). */
final class RoleCredentialsJson {
  private static final JsonMapper JSON = new JsonMapper();

  private RoleCredentialsJson() {}

  static String info(RoleCredentials role, RoleCredentials.Given given) {
    return start(given)
        .put("InstanceProfileArn", role.profileArn())
        .put("InstanceProfileId", RoleArn.idOf("AIPA", role.profileArn()))
        .toPrettyString();
  }

  static String credentials(RoleCredentials.Given given) {
    return start(given)
        .put("Type", "AWS-HMAC")
        .put("AccessKeyId", given.session().accessKeyId())
        .put("SecretAccessKey", given.session().secretAccessKey())
        .put("Token", given.session().token())
        .put("Expiration", given.session().expiration().toString())
        .toPrettyString();
  }

  private static ObjectNode start(RoleCredentials.Given given) {
    return JSON.createObjectNode()
        .put("Code", "Success")
        .put("LastUpdated", given.since().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
