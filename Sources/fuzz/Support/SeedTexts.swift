/// First inputs that are text.
enum SeedTexts {
  private static let side = ##"""
    {"buttons":[{"action":"delete","color":"#FF3B30","padding":10,
    "titles":{"on":"a","off":"b"},"closes":false}],"transition":"border","openThreshold":0.5,
    "keepsOpen":true,"bounces":true,"bounceRate":1,
    "expansion":{"button":0,"threshold":1.3,"fills":false}}
    """##.replacing("\n", with: "")

  private static let mails = ##"""
    mail.delivered {"mail":1,"from":"f","subject":"s","message":"m"}
    mail.delivered {"mail":2,"from":"","subject":"","message":"","date":"2001-09-09T01:46:40Z"}
    mail.delivered {"mail":3,"from":"","subject":"","message":"","to":["a"],"cc":[],"size":0}
    mail.delivered {"mail":4,"from":"","subject":"","message":"","messageID":"<m>","digest":"d"}
    mail.delivered {"mail":5,"from":"","subject":"","message":"","inReplyTo":"","references":[""]}
    mail.delivered {"mail":6,"from":"","subject":"","message":"","read":true,"trashed":true}
    mail.delivered {"mail":7,"from":"","subject":"","message":"","flagged":true,"answered":false}
    mail.read {"mail":1}
    mail.unread {"mail":1}
    mail.flagged {"mail":1}
    mail.unflagged {"mail":1}
    mail.trashed {"mail":1}
    mail.restored {"mail":1}
    mail.reordered {"mail":1,"after":2}
    mail.reordered {"mail":1,"after":null}
    mail.purged {"mail":1,"erased":true}
    mailbox.swipe-configured {"left-to-right":SIDE}
    mail.delivered {"mail":8,"from":"","subject":"Re: x","message":"","labels":["a"],"thread":1}
    mail.archived {"mail":1}
    mail.unarchived {"mail":1}
    mail.pinned {"mail":1}
    mail.unpinned {"mail":1}
    mail.labeled {"mail":1,"label":"work"}
    mail.unlabeled {"mail":1,"label":"work"}
    mail.snoozed {"mail":1,"until":"2030-01-01T00:00:00.000000Z"}
    mail.unsnoozed {"mail":1,"reason":"time"}
    thread.muted {"thread":1}
    thread.unmuted {"thread":1}
    mailbox.retention-configured {"trash":"P30D"}
    """##.replacing("SIDE", with: side)

  private static let items = ##"""
    list.created {"title":"t","template":"todo"}
    section.added {"section":1,"header":null,"footer":"f","traits":TRAITS,"completedRole":false,"after":null}
    section.added {"section":2,"header":"h","footer":null,"traits":TRAITS,"completedRole":true,"after":1}
    item.added {"item":1,"section":1,"text":"x","after":null}
    item.added {"item":2,"section":1,"text":"y","after":1}
    item.edited {"item":1,"text":"z"}
    item.completed {"item":1,"section":2,"after":null}
    item.reopened {"item":1,"section":1,"after":2}
    item.deleted {"item":1}
    item.restored {"item":1,"section":1,"after":null}
    item.moved {"item":1,"section":1,"after":2}
    item.deleted {"item":1}
    item.purged {"item":1}
    list.retitled {"title":"u"}
    section.added {"section":3,"header":"l","footer":null,"traits":TRAITS,"completedRole":false,"style":{"weight":700,"size":12.5},"after":2}
    section.moved {"section":3,"after":1}
    section.retitled {"section":3,"header":null,"footer":"g"}
    section.traits-configured {"section":3,"traits":TRAITS}
    section.styled {"section":3,"style":{"alignment":"left","headerHeight":0}}
    section.removed {"section":3}
    section.restored {"section":3,"after":2}
    item.added {"item":3,"section":3,"text":"w","after":null,"repeat":"monthly","due":"2026-02-28T08:00:00.000000Z","movable":false,"anchorDay":31}
    item.configured {"item":3,"movable":true,"repeat":"daily","due":null}
    list.swipe-configured {"section":1,"right-to-left":SIDE}
    """##.replacing("TRAITS", with: traits).replacing("SIDE", with: side)

  private static let traits = ##"""
    {"canAdd":true,"canComplete":true,"canDelete":true,"canReorder":true,"acceptsMoves":true,
    "right-to-left":SIDE}
    """##.replacing("\n", with: "")

  /// Events, one a line: whole histories, and each event by itself.
  static let histories =
    [mails, items, mails + "\n" + items]
    + (mails + "\n" + items).split(separator: "\n").map(String.init)

  /// A frame of each kind.
  static let requests = commands + others

  private static let commands = ##"""
    "deliver","data":{"from":"f","subject":"s","message":"m","date":"2001-09-09T01:46:40Z"}
    "deliver","data":{"from":"f","subject":"s","message":"m","to":["a"],"size":1,"read":true}
    "flag","data":{"mails":[1,2]}
    "purge","data":{"mail":1}
    "reorder","data":{"mail":1,"after":2}
    "reorder","data":{"items":[1],"section":2,"last":true}
    "swipe","data":{"mail":1,"direction":"left-to-right","extent":0.7,"velocity":-101}
    "press","data":{"item":1,"direction":"right-to-left","button":0}
    "create","data":{"title":"t","template":"todo"}
    "add","data":{"text":"x","section":1,"first":true}
    "add","data":{"text":"x","repeat":"weekly","due":"2001-09-09T01:46:40Z","movable":false}
    "edit","data":{"item":1,"repeat":"daily","due":null}
    "complete","data":{"items":[1,2,3]}
    "add-section","data":{"header":"h","traits":{"canAdd":false},"style":{"weight":"bold"},"first":true}
    "retitle-section","data":{"section":1,"header":null}
    "move-section","data":{"section":1,"last":true}
    "configure-section","data":{"section":1,"traits":{"canDelete":true},"style":null}
    "remove-section","data":{"section":1,"items":"move","to":2}
    "remove-section","data":{"section":2,"items":"delete"}
    "replace","data":{"section":1,"texts":["y","x"]}
    "configure-swipe","data":{"section":1,"left-to-right":SIDE}
    "configure-swipe","data":{"right-to-left":{"buttons":[{"action":"trash"}]}}
    """##.replacing("SIDE", with: side).split(separator: "\n").map {
      ##"{"op":"command","id":"1","stream":"list/a","expect":1,"meta":{"by":"b"},"command":\##($0)}"##
    }

  private static let others = ##"""
    {"op":"read","id":"1","from":"end","direction":"backward","stream":"list/","types":["a"]}
    {"op":"subscribe","id":"1","from":5,"credit":9,"log":"x"}
    {"op":"credit","id":"1","sub":"s","add":1}
    {"op":"unsubscribe","id":"1","sub":"s"}
    {"op":"query","id":"1","view":"list","stream":"list/a","in":"trash","cursor":"1","atLeast":3}
    {"op":"state","id":"1","stream":"list/a","at":"2001-09-09T01:46:40.123456Z"}
    {"op":"result","id":"1","stream":"list/a","command":"1"}
    {"op":"rebuild","id":"1","view":"v"}
    [null,true,false,-1,1.5e300,18446744073709551615,"\ud83d\ude00\u0000\"",{"":[]}]
    """##.split(separator: "\n").map(String.init)
}
