package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ElasticAddress;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.Optional;

/** Lets a public address stand for nothing. */
final class DisassociateAddress implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("AssociationId"), Field.unsupported("PublicIp"), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    String id =
        call.parameters()
            .text("AssociationId")
            .orElseThrow(() -> ParameterShape.missing("associationId"));
    ResourceType.ELASTIC_IP_ASSOCIATION.requireWellFormed(id);
    ElasticAddress address =
        call.region()
            .elasticAddresses()
            .present()
            .filter(a -> a.ownerId().equals(call.account()))
            .filter(a -> a.association().filter(x -> x.id().equals(id)).isPresent())
            .findFirst()
            .orElseThrow(() -> ResourceType.ELASTIC_IP_ASSOCIATION.notFound(id));
    call.region().elasticAddresses().put(address.withAssociation(Optional.empty()));
    return Answer.TRUE;
  }
}
