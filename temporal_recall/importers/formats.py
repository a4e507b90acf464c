"""Every format by its name."""

from __future__ import annotations

from temporal_recall.importers import chatgpt, claude, slack, telegram, wechat, whatsapp
from temporal_recall.importers.messages import Format

FORMATS: dict[str, Format] = {
    "chatgpt": chatgpt.read,
    "claude": claude.read,
    "slack": slack.read,
    "telegram": telegram.read,
    "wechat": wechat.read,
    "whatsapp": whatsapp.read,
}
